// What a stranger or a customer who means harm does to everybody else: half-sent requests by the thousand, and pictures
// that are made to take all there is.
import { connect } from 'node:net';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { call, joinAdmin, joinAs, startLode, stopLode } from './api.mjs';
import { quantile, verdict } from './client.mjs';

/** Connections that send the beginning of a request and wait, from networks of which each has as many. */
const HALF_SENT = { networks: 10, each: 300 };
/** Between two requests of somebody else, and for how long they are sent, in milliseconds. */
const [PAUSE_MS, WATCH_MS] = [50, 25_000];
const [MIB, LOOK_MS] = [1024 * 1024, 50];
/** What somebody else's small picture may take meanwhile, in milliseconds, and all memory may rise by, in MiB. */
const [STORED_MS, RISE_MIB] = [5_000, 300];
/** The smallest PNG: one pixel. */
const SMALL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Half-sent requests, then pictures. */
export async function measureAttacks(root, folder) {
  return [
    await halfSent(root, `${folder}-connections`),
    await pictures(root, `${folder}-four`, {
      people: 4,
      each: 8,
      width: 4_000,
      height: 3_000,
      isProgressive: false,
    }),
    await pictures(root, `${folder}-one`, {
      people: 1,
      each: 8,
      width: 8_600,
      height: 5_800,
      isProgressive: true,
    }),
  ];
}

async function halfSent(root, folder) {
  const { child, port, invitation } = await startLode(root, folder);
  await joinAdmin(port, invitation);
  const { token } = await joinAs(port, 0);
  let open = 0;
  const sockets = Array.from({ length: HALF_SENT.networks * HALF_SENT.each }, (_, n) => {
    const network = 2 + (n % HALF_SENT.networks);
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.${network}.1` }, () => {
      open += 1;
      socket.write('GET /api/prices HTTP/1.1\r\nHost: x\r\n');
    });
    // What it is answered is read, or it would not be seen that it was closed.
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => (open -= 1));
    return socket;
  });
  const from = performance.now();
  let [left, refused] = [0, 0];
  const times = [];
  while (performance.now() - from < WATCH_MS) {
    if (performance.now() - from < 15_000) left = open;
    const began = performance.now();
    const isServed = await call(port, 'GET', '/api/me', undefined, { token }).then(
      () => true,
      () => false,
    );
    if (!isServed) refused += 1;
    times.push(performance.now() - began);
    await setTimeout(PAUSE_MS);
  }
  for (const socket of sockets) socket.destroy();
  await stopLode(child);
  return {
    name: `API: a customer's requests beside ${sockets.length.toLocaleString('en')} half-sent ones`,
    p50: quantile(Float64Array.from(times).sort(), 0.5),
    p99: quantile(Float64Array.from(times).sort(), 0.99),
    note: `${refused} of ${times.length} refused; ${left} of the half-sent still open after 15 s`,
  };
}

async function upload(port, token, bytes) {
  const body = new FormData();
  body.append('file', new Blob([bytes]), 'evidence');
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${port}/api/files`, { method: 'POST', headers, body });
  await answer.text();
  return answer.status;
}

async function pictures(root, folder, { people, each, width, height, isProgressive }) {
  const noise = { type: 'gaussian', mean: 128, sigma: isProgressive ? 0 : 20 };
  const picture = await sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 50, progressive: isProgressive })
    .toBuffer();
  const { memoryOf } = await import(join(root, 'dist', 'services', 'lode', 'testing', 'memory.js'));
  const { child, port, invitation } = await startLode(root, folder);
  await joinAdmin(port, invitation);
  const ann = await joinAs(port, 0);
  const before = memoryOf(child.pid);
  let most = 0;
  const looking = setInterval(() => (most = Math.max(most, memoryOf(child.pid))), LOOK_MS);
  const attackers = [];
  for (let n = 1; n <= people; n++) attackers.push(await joinAs(port, n));
  const statuses = [];
  const large = attackers.flatMap(({ token }) =>
    Array.from({ length: each }, () =>
      upload(port, token, picture).then(
        (status) => statuses.push(status),
        () => statuses.push(0),
      ),
    ),
  );
  await setTimeout(500);
  const began = performance.now();
  const status = await upload(port, ann.token, SMALL);
  const took = performance.now() - began;
  await Promise.all(large);
  clearInterval(looking);
  await stopLode(child);
  const megapixels = Math.round((width * height) / 1e6);
  const stored = status === 201 ? `stored ${verdict(took, STORED_MS)}` : `REFUSED with ${status}`;
  const rise = Math.round((most - before) / MIB);
  return {
    name: `API: a small picture beside ${people} × ${each} of ${megapixels} megapixels`,
    p50: took,
    p99: took,
    note: `${stored}; memory rose by ${rise} MiB, ${verdict(rise, RISE_MIB, 'MiB')}`,
  };
}
