// The way of one command through the program's own code: which functions run on the main thread for one confirmation of a
// fund request whose account is in memory, counted by V8.
import { randomUUID } from 'node:crypto';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { call, evidenceOf, joinAdmin, joinAs, startLode, stopLode } from './api.mjs';

/** Confirmations before those that are counted, and those of which the one with the fewest calls is told. */
const WARM_UP = 20;
const COUNTED = 10;

/**
 * What one confirmation runs: `functions`, `calls`, and the functions of each file. Timers and the like that happen to
 * run beside one confirmation don't run beside all, so that the least of several is told.
 */
export async function measureWay(root, folder) {
  const { child, port, invitation } = await startLode(root, folder, {
    flags: ['--inspect=127.0.0.1:0'],
    complaints: 'pipe',
  });
  const inspector = await inspectorOf(child);
  const people = { port, admin: await joinAdmin(port, invitation), customer: await joinAs(port, 0) };
  for (let n = 0; n < WARM_UP; n++) await confirm(people, await requestFunding(people));
  await inspector.send('Profiler.enable');
  await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const counted = [];
  for (let n = 0; n < COUNTED; n++) {
    const requestId = await requestFunding(people);
    await inspector.send('Profiler.takePreciseCoverage');
    await confirm(people, requestId);
    const { result } = await inspector.send('Profiler.takePreciseCoverage');
    counted.push(ownCalls(join(root, 'dist'), result));
  }
  inspector.close();
  await stopLode(child);
  return counted.toSorted((a, b) => a.calls - b.calls)[0];
}

/** A fund request that queries see, so that nothing of it is still to be done. */
async function requestFunding({ port, customer }) {
  const { token, userId } = customer;
  const body = { amount: '12.50', currency: 'BTC', evidenceId: await evidenceOf(port, customer) };
  const asked = await call(port, 'POST', '/api/fund-requests', body, { token, key: randomUUID() });
  const { requestId, position } = asked;
  await call(port, 'GET', `/api/accounts/${userId}/fund-requests/${requestId}`, undefined, {
    token,
    position,
  });
  return requestId;
}

function confirm({ port, admin, customer: { userId } }, requestId) {
  const path = `/api/accounts/${userId}/fund-requests/${requestId}/confirm`;
  return call(port, 'POST', path, {}, { token: admin, key: randomUUID() });
}

/** The functions below `folder` that ran, by file. */
function ownCalls(folder, scripts) {
  const files = new Map();
  let calls = 0;
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file://')) continue;
    const file = relative(folder, fileURLToPath(url));
    if (file.startsWith('..')) continue;
    const ran = functions.filter(({ ranges }) => ranges[0].count > 0);
    if (ran.length === 0) continue;
    files.set(
      file,
      ran.map(({ functionName }) => functionName || '(unnamed)'),
    );
    for (const { ranges } of ran) calls += ranges[0].count;
  }
  const count = [...files.values()].reduce((sum, names) => sum + names.length, 0);
  return { functions: count, calls, files };
}

/** The inspector of a program that was started with it: it prints where it listens. */
async function inspectorOf(child) {
  const url = await new Promise((resolve) => {
    let printed = '';
    child.stderr.on('data', (chunk) => {
      printed += chunk;
      const address = /ws:\/\/\S+/.exec(printed)?.[0];
      if (address !== undefined) resolve(address);
    });
  });
  const socket = new WebSocket(url);
  const waiting = new Map();
  let sent = 0;
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  return {
    send: (method, params = {}) =>
      new Promise((resolve) => {
        const id = (sent += 1);
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}
