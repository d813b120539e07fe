import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ADJUSTMENT,
  adjustmentsOf,
  call,
  joinAdmin,
  joinWithMoney,
  signInAs,
  startLode,
  stopLode,
} from './api.mjs';
import { drive, jsonRequest } from './client.mjs';

/** Connections that send commands and queries meanwhile, each waiting a little after every answer. */
const CONNECTIONS = 32;
const PAUSE_MS = 100;
/** Of each connection's requests every so many is a command, the others ask for a list or the like. */
const COMMAND_EVERY = 3;
/** Minutes after which everybody signs in again, before their tokens end. */
const SIGN_IN_EVERY = 5;
const MINUTE_MS = 60_000;
/** Seconds of as many requests as can be, before the first minute: they fill the caches. */
const WARM_UP_S = 60;
/** Samples a minute: the least of them is what is left when the collector has been. */
const SAMPLES = 12;
/**
 * The rule: once caches are full, the least resident memory of the last quarter of the minutes is at most this much above
 * that of the second quarter.
 */
const GROWTH_MAX = 0.1;

/**
 * Mixed load for `minutes`: commands on the accounts of 32 customers, lists, balances and the audit. Says what the server's memory is
 * each minute, and answers with whether it is flat.
 */
export async function measureSoak(root, folder, minutes, say) {
  const { child, port, invitation } = await startLode(root, folder);
  const admin = { token: await joinAdmin(port, invitation) };
  const people = [];
  for (let n = 0; n < CONNECTIONS; n++) people.push(await joinWithMoney(port, admin.token, n));
  await load(port, people, admin, { seconds: WARM_UP_S });
  const loading = load(port, people, admin, { seconds: minutes * 60, pause: PAUSE_MS });
  const perMinute = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const sample = { resident: Infinity, heap: Infinity };
    for (let n = 0; n < SAMPLES; n++) {
      await sleep(MINUTE_MS / SAMPLES);
      sample.resident = Math.min(sample.resident, residentOf(child.pid));
      sample.heap = Math.min(sample.heap, await heapOf(port, admin.token));
    }
    perMinute.push(sample);
    if (minute % SIGN_IN_EVERY === 0) {
      admin.token = await joinAdmin(port);
      for (const [n, person] of people.entries()) person.token = await signInAs(port, n);
    }
    say(
      `minute ${minute}: ${mib(sample.resident)} MiB resident, ${mib(sample.heap)} MiB of heap at the least`,
    );
  }
  const { done, wrong, statuses, seconds } = await loading;
  await stopLode(child);
  const growth = growthOf(perMinute.map(({ resident }) => resident));
  const isFlat = growth <= GROWTH_MAX;
  return {
    perSecond: done / seconds,
    note:
      `${minutes} minutes, memory ${isFlat ? 'flat' : 'NOT FLAT'}: ` +
      `${(growth * 100).toFixed(1)} % more in the last quarter than in the second` +
      (wrong === 0 ? '' : `; not as expected: ${JSON.stringify(statuses)}`),
  };
}

function load(port, people, admin, pace) {
  const run = randomUUID();
  const lists = ['/api/withdrawals?status=Pending', '/api/transactions', '/api/events', '/api/trial-balance'];
  return drive({
    port,
    connections: CONNECTIONS,
    ...pace,
    expected: (status) => status === 200 || status === 201,
    requestFor: (connection, n) => {
      const { token, userId } = people[connection];
      if (n % COMMAND_EVERY !== 0) {
        const list = (n + connection) % (lists.length + 1);
        return list === lists.length
          ? jsonRequest({ method: 'GET', path: `/api/accounts/${userId}/withdrawals`, token })
          : jsonRequest({ method: 'GET', path: lists[list], token: admin.token });
      }
      return jsonRequest({
        path: adjustmentsOf(people[connection]),
        token: admin.token,
        key: `${run}-${connection}-${n}`,
        body: ADJUSTMENT,
      });
    },
  });
}

/** How much more the last quarter has than the second, of the least of each. */
function growthOf(values) {
  const quarter = Math.max(1, Math.floor(values.length / 4));
  const second = Math.min(...values.slice(quarter, 2 * quarter));
  const last = Math.min(...values.slice(-quarter));
  return last / second - 1;
}

/** Bytes of memory that a process has, as Linux counts them. */
function residentOf(pid) {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}

/** Bytes in use on the main thread's heap, as the program's own metrics have them. */
async function heapOf(port, token) {
  const text = await call(port, 'GET', '/metrics', undefined, { token, isText: true });
  return Number(/^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1]);
}

function mib(bytes) {
  return Math.round(bytes / 1_048_576).toLocaleString('en');
}
