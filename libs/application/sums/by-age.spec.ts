import { expect, test } from '@jest/globals';
import { positionOf, systemTimers } from '#kernel';
import { requests, transfers } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import { checkpointStart, type Document, type ReadStore } from '#read-store';
import { GetRequestsByAgeHandler } from './by-age.js';

const NOW = Date.parse('2026-05-01T12:00:00.000Z');
const HOUR_MS = 60 * 60 * 1_000;

/** A request of a kind that was made so many hours ago. */
function made(n: number, type: string, hoursAgo: number, amount: string, status = 'Pending'): Document {
  const createdAt = new Date(NOW - hoursAgo * HOUR_MS).toISOString();
  return {
    id: `r${String(n).padStart(6, '0')}`,
    position: positionOf(n + 1),
    amount,
    createdAt,
    currency: 'BTC',
    sha256: '',
    status,
    transferType: 'local',
    delivery: 'none',
    deliveryAt: '',
    type,
    userId: 'ann',
  };
}

async function fill(store: ReadStore, which: typeof requests, put: readonly Document[]): Promise<void> {
  const { name, version, indexes } = which;
  const build = await store.begin({ name, version, indexes }, { bulk: false });
  await store.write([{ build, checkpoint: checkpointStart, put, remove: [] }]);
  await store.activate(build);
}

async function ages(own: readonly Document[], sent: readonly Document[] = []) {
  const readStore = openSqliteReadStore({ file: ':memory:' });
  await fill(readStore, requests, own);
  await fill(readStore, transfers, sent);
  const handler = new GetRequestsByAgeHandler({ readStore, clock: () => NOW, timers: systemTimers });
  return handler.execute();
}

test('requests that wait are counted by how long they have, each once', async () => {
  const {
    at,
    complete,
    ages: found,
  } = await ages(
    [
      made(1, 'Funding', 0.5, '10.00'),
      made(2, 'Funding', 1, '20.00'),
      made(3, 'withdrawal', 23.9, '5.50'),
      made(4, 'withdrawal', 24, '0.25'),
      made(5, 'Funding', 90, '999.00', 'confirmed'),
      made(6, 'Funding', -1, '1.00'),
    ],
    [made(7, 'transfer', 4, '7.00'), made(8, 'transfer', 400, '8.00')],
  );
  expect([at, complete]).toEqual(['2026-05-01T12:00:00.000Z', true]);
  expect(found).toEqual([
    { fromHours: 0, toHours: 1, funding: 2, withdrawals: 0, transfers: 0, amount: '11.00' },
    { fromHours: 1, toHours: 4, funding: 1, withdrawals: 0, transfers: 0, amount: '20.00' },
    { fromHours: 4, toHours: 12, funding: 0, withdrawals: 0, transfers: 1, amount: '7.00' },
    { fromHours: 12, toHours: 24, funding: 0, withdrawals: 1, transfers: 0, amount: '5.50' },
    { fromHours: 24, toHours: null, funding: 0, withdrawals: 1, transfers: 1, amount: '8.25' },
  ]);
});

test('of more than one answer reads, the oldest are counted, and it is said', async () => {
  const many = Array.from({ length: 10_001 }, (_, n) => made(n, 'Funding', n === 0 ? 0.1 : 30, '1.00'));
  const { complete, ages: found } = await ages(many);
  expect([complete, found.map(({ funding }) => funding)]).toEqual([false, [0, 0, 0, 0, 10_000]]);
});

test('whoever asks during a read, or some seconds after it, gets what it found', async () => {
  const store = openSqliteReadStore({ file: ':memory:' });
  await fill(store, requests, [made(1, 'Funding', 0.5, '10.00')]);
  await fill(store, transfers, []);
  let [now, lists, isAway] = [NOW, 0, false];
  const readStore: ReadStore = {
    ...store,
    list: async (...asked) => {
      lists += 1;
      if (isAway) throw new Error('away');
      return store.list(...asked);
    },
  };
  const handler = new GetRequestsByAgeHandler({ readStore, clock: () => now, timers: systemTimers });
  const [first, second] = await Promise.all([handler.execute(), handler.execute()]);
  now += 4_999;
  expect([second, await handler.execute(), lists]).toEqual([first, first, 3]);
  now += 1;
  isAway = true;
  await expect(handler.execute()).rejects.toThrow('away');
  isAway = false;
  expect(await handler.execute()).toMatchObject({ at: '2026-05-01T12:00:05.000Z', complete: true });
  expect(lists).toBe(9);
});
