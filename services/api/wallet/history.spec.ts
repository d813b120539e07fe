import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionOf, type RecordedEvent } from '#kernel';
import { accountDecider, currencies, formatMoney, type AccountEvent, type OpenAccount } from '#ledger';
import { histories, recorded } from '#projections/testing';
import { logOf } from '../audit/testing/index.js';
import { createAccountHistory, type AccountAt, type Moment } from './history.js';

/** Balances, holds, status and open requests of the ledger's own fold. */
function summaryOf(state: OpenAccount) {
  return {
    status: state.status,
    openRequests: [...state.requests.values()].filter(({ status }) => status === 'Pending').length,
    balances: currencies.map((currency) => [
      formatMoney(state.available[currency] + state.held[currency], currency),
      formatMoney(state.held[currency], currency),
    ]),
  };
}

function summaryAt({ account }: AccountAt) {
  const { status, totals, wallet, balances } = account;
  const all = [wallet, balances.BTC, balances.PI, balances.USDT];
  return {
    status,
    openRequests: totals.openRequests,
    balances: all.map(({ balance, held }) => [balance, held]),
  };
}

function folded(events: readonly RecordedEvent[]) {
  const state = (events as readonly RecordedEvent<AccountEvent>[]).reduce(
    accountDecider.evolve,
    accountDecider.initial,
  );
  if (state.kind !== 'open') throw new Error('the account is open');
  return summaryOf(state);
}

/** One account that was credited once an event, `count` events in all. */
function longStream(count: number): readonly RecordedEvent[] {
  return Array.from({ length: count }, (_, n) => {
    if (n === 0) {
      const data = { userId: 'ann', accountNumber: '3012345678', role: 'user', profile: 'sealed' };
      return recorded(1, 'account-ann', 'AccountOpened', data);
    }
    const amounts = { amount: '1.00', currency: 'PI', price: '1.00000000', converted: '1.0000000' };
    const postings = [
      { account: 'operator/adjustments', currency: 'USD', amount: '-1.00' },
      { account: 'customer/ann/available', currency: 'USD', amount: '1.00' },
    ];
    return recorded(n + 1, 'account-ann', 'WalletCredited', { ...amounts, postings }, n);
  });
}

describe('an account’s history', () => {
  test('as of every revision, position and instant is the fold of what came before', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ events }) => {
        const history = createAccountHistory(logOf(events).eventStore);
        for (const [n, { at, position, revision, stream }] of events.entries()) {
          const userId = stream.slice('account-'.length);
          const own = events.slice(0, n + 1).filter((event) => event.stream === stream);
          const moments: readonly Moment[] = [{ revision }, { position }, { time: Date.parse(at) }];
          for (const moment of moments) {
            const found = await history.asOf(userId, moment);
            expect(found).toMatchObject({ revision, position, at });
            expect(found && summaryAt(found)).toEqual(folded(own));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test('is not there before the account, nor for nobody', async () => {
    const history = createAccountHistory(logOf(longStream(3)).eventStore);
    expect(await history.asOf('ann', { position: positionOf(0) })).toBeUndefined();
    expect(await history.asOf('ann', { time: 0 })).toBeUndefined();
    expect(await history.asOf('bob', undefined)).toBeUndefined();
  });

  test('of a long stream is folded whole once, and then from near by', async () => {
    const COUNT = 2_000;
    const { eventStore, read } = logOf(longStream(COUNT));
    const history = createAccountHistory(eventStore);
    expect(await history.asOf('ann', undefined)).toMatchObject({ revision: COUNT - 1 });
    const once = read();
    const places = [1_999, 256, 255, 0, 1_024, 700];
    for (const revision of places) {
      const found = await history.asOf('ann', { revision });
      expect([found?.revision, found?.account.wallet.balance]).toEqual([revision, `${revision}.00`]);
    }
    expect(read() - once).toBeLessThanOrEqual(places.length * 256);
  });

  test('stops at the first later event when a clock went back', async () => {
    const [first, second, third] = longStream(3) as [RecordedEvent, RecordedEvent, RecordedEvent];
    const log = [first, { ...second, at: '2027-01-01T00:00:00.000Z' }, third];
    const history = createAccountHistory(logOf(log).eventStore);
    expect(await history.asOf('ann', { time: Date.parse(third.at) })).toMatchObject({ revision: 0 });
    expect(await history.asOf('ann', { time: Date.parse('2027-01-01') })).toMatchObject({ revision: 2 });
  });

  test('refuses a position where the engine tells none of a stream', async () => {
    const { eventStore } = logOf(longStream(2));
    const silent = {
      ...eventStore,
      readStream: async (...asked: Parameters<typeof eventStore.readStream>) =>
        (await eventStore.readStream(...asked)).map(({ position: _, ...event }) => event),
    };
    const history = createAccountHistory(silent);
    await expect(history.asOf('ann', { position: positionOf(1) })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(await history.asOf('ann', undefined)).toMatchObject({ revision: 1 });
  });
});
