import { expect, test } from '@jest/globals';
import { logStart } from '#kernel';
import type { SettingsInForce } from './in-force.js';
import { GetFiguresHandler } from './figures.js';
import { settingsDecider } from '#ledger';
import { readCounters, type CounterFloors, type CounterParts } from './counters.js';

const FLOORS: CounterFloors = { clients: 100, years: 1, requestsPaid: 100 };
const NOW = Date.parse('2030-06-01T00:00:00.000Z');

/** Engines whose totals are these, and whose log began then; `more` of the read store takes the place of that. */
function enginesWith(
  totals: { users: number; paidWithdrawals: number } | undefined,
  begun?: string,
  more: object = {},
): CounterParts {
  return {
    readStore: { get: async () => totals, ...more },
    eventStore: { readAll: async () => (begun === undefined ? [] : [{ at: begun }]) },
    clock: () => NOW,
    counterFloors: FLOORS,
  } as unknown as CounterParts;
}

test('nothing is shown of a platform of which nothing is known', async () => {
  const none = { clients: null, years: null, requestsPaid: null };
  expect(await readCounters(enginesWith(undefined), null)).toEqual({ counters: none, position: logStart });
});

test.each([
  [-1, false],
  [0, true],
  [1, true],
])('a count that is %s above its floor is shown as it is: %s', async (above, isShown) => {
  const [users, paidWithdrawals] = [FLOORS.clients + above, FLOORS.requestsPaid + above];
  const { counters } = await readCounters(enginesWith({ users, paidWithdrawals }), null);
  const { clients, requestsPaid } = counters;
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
  expect((await readCounters(enginesWith(undefined, begun), since)).counters.years).toBe(years);
});

test('a floor that the operator sets is the one that counts', async () => {
  const engines = enginesWith({ users: 3, paidWithdrawals: 2 });
  const counterFloors = { clients: 3, years: 1, requestsPaid: 3 };
  const { counters } = await readCounters({ ...engines, counterFloors }, null);
  expect(counters).toMatchObject({ clients: 3, requestsPaid: null });
});

test('figures are of the position that they tell, and a price of the moment that it tells, while others are on their way', async () => {
  const later = [1_000, 2_000, 3_000].map((users) => ({
    users,
    paidWithdrawals: 0,
    position: String(users),
  }));
  const documents = [{ id: 'price-BTC', at: 'then', by: 'a', position: '7', price: '40000.00000000' }];
  const parts = enginesWith(undefined, undefined, {
    get: async () => later.shift(),
    getMany: async () => documents,
  });
  const prices = { ...settingsDecider.initial.prices, BTC: 5_000_000_000_000n };
  const known = { ...settingsDecider.initial, prices, revision: 1 };
  const settings: SettingsInForce = {
    current: async () => known,
    lastKnown: () => known,
    changed: async () => undefined,
  };
  expect(await new GetFiguresHandler(parts, settings).execute()).toMatchObject({
    counters: { clients: 1_000 },
    position: '1000',
    prices: { BTC: { price: '40000.00000000', setAt: 'then' }, LTC: null },
  });
});
