import { expect, test } from '@jest/globals';
import type { Ports } from '../ports.js';
import { COUNTER_FLOORS, readCounters } from './counters.js';

const NOW = Date.parse('2030-06-01T00:00:00.000Z');

/** Engines whose totals are these, and whose log began then. */
function enginesWith(totals: { users: number; paidWithdrawals: number } | undefined, begun?: string): Ports {
  return {
    readStore: { get: async () => totals },
    eventStore: { readAll: async () => (begun === undefined ? [] : [{ at: begun }]) },
    clock: () => NOW,
  } as unknown as Ports;
}

test('nothing is shown of a platform of which nothing is known', async () => {
  const none = { clients: null, years: null, requestsPaid: null };
  expect(await readCounters(enginesWith(undefined), null)).toEqual(none);
});

test.each([
  [-1, false],
  [0, true],
  [1, true],
])('a count that is %s above its floor is shown as it is: %s', async (above, isShown) => {
  const [users, paidWithdrawals] = [COUNTER_FLOORS.clients + above, COUNTER_FLOORS.requestsPaid + above];
  const { clients, requestsPaid } = await readCounters(enginesWith({ users, paidWithdrawals }), null);
  expect([clients, requestsPaid]).toEqual(isShown ? [users, paidWithdrawals] : [null, null]);
});

test.each([
  [null, '2029-06-02T00:00:00.000Z', null],
  [null, '2029-05-31T00:00:00.000Z', 1],
  [null, '2026-01-01T00:00:00.000Z', 4],
  ['2029', '2020-01-01T00:00:00.000Z', null],
  ['2024', '2029-05-31T00:00:00.000Z', 5],
  ['2031', '2020-01-01T00:00:00.000Z', null],
])('founded in %s, with a log since %s, it says %s years', async (since, begun, years) => {
  expect((await readCounters(enginesWith(undefined, begun), since)).years).toBe(years);
});
