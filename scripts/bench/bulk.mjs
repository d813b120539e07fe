import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { call, joinAdmin, startLode } from './api.mjs';
import { quantile } from './client.mjs';

/** Items of a request, and requests under way at once. */
const ITEMS = 1_000;
const CONNECTIONS = 4;
export const WARM_UP = 2;
/** Lines of double entry of an adjustment in one currency: two in dollars and two in the currency. */
const POSTINGS = 4;

/**
 * Adjustments by the bulk endpoint, 1,000 a request, on as many accounts and on one: postings a second, durable, by a
 * client that builds every request and reads every answer.
 */
export async function measureBulk(root, folder, seconds) {
  mkdirSync(folder, { recursive: true });
  const users = Array.from({ length: ITEMS }, (_, n) => `user-${n}`);
  await openAccounts(root, folder, users);
  const { child, port, invitation } = await startLode(root, folder);
  const token = await joinAdmin(port, invitation);
  const rows = [];
  for (const some of [users, users.slice(0, 1)]) {
    const { items, latencies } = await adjustInBulk(port, token, some, { seconds });
    const rate = items / seconds;
    rows.push({
      name: `API: bulk postings, ${ITEMS} adjustments a request, ${some.length === 1 ? 'one account' : `${some.length} accounts`}`,
      perSecond: rate * POSTINGS,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      note: `${Math.round(rate).toLocaleString('en')} adjustments/s; a request took`,
    });
  }
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return rows;
}

/**
 * Adjustments of `users` by turns, for `seconds` seconds after a warm-up or `requests` requests on each connection: how
 * many after the warm-up, and each request's milliseconds.
 */
export async function adjustInBulk(port, token, users, { seconds = Infinity, requests = Infinity }) {
  const from = performance.now() + WARM_UP * 1_000;
  const until = from + seconds * 1_000;
  const latencies = [];
  let items = 0;
  const send = async () => {
    const run = randomUUID();
    for (let n = 0, sent = performance.now(); sent < until && n < requests; n++, sent = performance.now()) {
      const body = {
        reason: 'bench',
        items: Array.from({ length: ITEMS }, (_, m) => ({
          key: `${run}-${n}-${m}`,
          userId: users[m % users.length],
          amounts: { BTC: '0.25' },
        })),
      };
      const { applied } = await call(port, 'POST', '/api/bulk/adjustments', body, { token });
      if (applied !== ITEMS) throw new Error(`only ${applied} of ${ITEMS} adjustments were applied`);
      const now = performance.now();
      if (now < from || now >= until) continue;
      items += ITEMS;
      latencies.push(now - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return { items, latencies: latencies.sort((a, b) => a - b) };
}

/** Opens accounts in a new log, as registering people does. */
async function openAccounts(root, folder, users) {
  const dist = (...path) => import(join(root, 'dist', 'libs', ...path, 'index.js'));
  const { openSqliteEventStore } = await dist('event-store', 'sqlite');
  const { createExecutor } = await dist('commands');
  const { accountDecider, accountStream } = await dist('ledger');
  const { commandIdOf, systemClock } = await dist('kernel');
  const { openIdentityStore } = await dist('identity', 'sqlite');
  // A log without it would be one that has lost it.
  await (await openIdentityStore({ file: join(folder, 'identity.sqlite') })).close();
  const store = await openSqliteEventStore({ file: join(folder, 'events.sqlite') });
  const accounts = createExecutor({ store, clock: systemClock, decider: accountDecider });
  const answers = await accounts.executeMany(
    users.map((userId) => {
      const stream = accountStream(userId);
      const commandId = commandIdOf(userId, stream, 'open');
      return {
        stream,
        command: { type: 'OpenAccount', userId, accountNumber: userId, role: 'user', profile: 'v1.sealed' },
        context: {
          actor: { kind: 'person', id: userId, role: 'user' },
          commandId,
          requestHash: 'ab'.repeat(32),
          correlationId: commandId,
          causationId: commandId,
        },
      };
    }),
  );
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  await store.close();
}
