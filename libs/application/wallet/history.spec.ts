import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionOf, systemTimers as timers, type RecordedEvent } from '#kernel';
import { accountDecider, currencies, formatMoney, type OpenAccount } from '#ledger';
import { accounts, openPersonalData } from '#projections';
import { decryptForTests, histories, logOf, modelsBeingBuilt, recorded, worldOf } from '#projections/testing';
import { createAccountHistory, type AccountAt, type Moment } from './history.js';

/** What was so by folding the log alone. */
function foldedFrom(events: readonly RecordedEvent[]) {
  return createAccountHistory({ eventStore: logOf(events).eventStore, readStore: modelsBeingBuilt, timers });
}

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
  const { codecs, evolve, initial } = accountDecider;
  const state = events.map((event) => codecs.decode(event)).reduce(evolve, initial);
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
        const history = foldedFrom(events);
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
    const history = foldedFrom(longStream(3));
    expect(await history.asOf('ann', { position: positionOf(0) })).toBeUndefined();
    expect(await history.asOf('ann', { time: 0 })).toBeUndefined();
    expect(await history.asOf('bob', undefined)).toBeUndefined();
  });

  test('of a long stream is folded whole once, and then from near by', async () => {
    const COUNT = 2_000;
    const { eventStore, read } = logOf(longStream(COUNT));
    const history = createAccountHistory({ eventStore, readStore: modelsBeingBuilt, timers });
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
    const history = foldedFrom(log);
    expect(await history.asOf('ann', { time: Date.parse(third.at) })).toMatchObject({ revision: 0 });
    expect(await history.asOf('ann', { time: Date.parse('2027-01-01') })).toMatchObject({ revision: 2 });
  });

  test('refuses a position where the engine tells none of a stream', async () => {
    const log = longStream(2);
    const { eventStore } = logOf(log);
    const silent = {
      ...eventStore,
      readStream: async (...asked: Parameters<typeof eventStore.readStream>) =>
        (await eventStore.readStream(...asked)).map(({ position: _, ...event }) => event),
    };
    const { readStore } = await worldOf(log, [accounts], openPersonalData(decryptForTests));
    for (const models of [modelsBeingBuilt, readStore]) {
      const history = createAccountHistory({ eventStore: silent, readStore: models, timers });
      for (const position of [1, 2, 300])
        await expect(history.asOf('ann', { position: positionOf(position) })).rejects.toMatchObject({
          code: 'validation_failed',
        });
      expect(await history.asOf('ann', undefined)).toMatchObject({ revision: 1 });
      expect(await history.asOf('ann', undefined)).not.toHaveProperty('position');
    }
    await readStore.close();
  });
});

/** Histories in whose streams time runs backwards now and then, and some moments in and around each. */
const jumping = fc
  .record({
    history: histories,
    jumps: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 8 }),
  })
  .map(({ history: { events }, jumps }) =>
    events.map((event, n) => ({
      ...event,
      at: new Date(Date.parse(event.at) + (jumps[n % jumps.length] ?? 0)).toISOString(),
    })),
  );

describe('an account that the read model has', () => {
  const open = openPersonalData(decryptForTests);
  const everyone = ['anna', 'boris', 'chen', 'root', 'nobody'] as const;
  const momentOf = fc.oneof(
    fc.record({ event: fc.nat(), by: fc.constantFrom('revision', 'position', 'time') }),
    fc.constant('now' as const),
  );
  type Which = typeof momentOf extends fc.Arbitrary<infer Value> ? Value : never;

  function moment(events: readonly RecordedEvent[], which: Which): Moment {
    const event = which === 'now' ? undefined : events[which.event % events.length];
    if (which === 'now' || event === undefined) return undefined;
    if (which.by === 'revision') return { revision: event.revision };
    return which.by === 'position' ? { position: event.position } : { time: Date.parse(event.at) };
  }

  test('is what folding gives at any moment, however far behind the read model is', async () => {
    const asked = fc.record({
      events: jumping,
      behind: fc.constantFrom(0, 0, 1, 5, 30),
      moments: fc.array(momentOf, { minLength: 20, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ events, behind, moments }) => {
        const { readStore } = await worldOf(events.slice(0, events.length - behind), [accounts], open);
        const { eventStore } = logOf(events);
        const history = createAccountHistory({ eventStore, readStore, timers });
        const folding = foldedFrom(events);
        for (const userId of everyone) {
          for (const one of moments.map((which) => moment(events, which)))
            expect(await history.asOf(userId, one)).toEqual(await folding.asOf(userId, one));
        }
        await readStore.close();
      }),
      { numRuns: 40 },
    );
  });

  const DAY_AFTER = Date.parse('2026-01-02T00:00:00.000Z');
  const ends: readonly Moment[] = [undefined, { time: DAY_AFTER }, { position: positionOf(300) }];

  test('costs one event where no later one is', async () => {
    const log = longStream(300);
    const { readStore } = await worldOf(log, [accounts], open);
    const { eventStore, read } = logOf(log);
    const history = createAccountHistory({ eventStore, readStore, timers });
    for (const one of ends) expect(await history.asOf('ann', one)).toMatchObject({ revision: 299 });
    expect(read()).toBe(ends.length);
    await readStore.close();
  });

  test('costs hardly more events than there are before the moment', async () => {
    const log = longStream(300);
    const { readStore } = await worldOf(log, [accounts], open);
    const { eventStore, read } = logOf(log);
    const history = createAccountHistory({ eventStore, readStore, timers });
    await history.asOf('ann', { position: positionOf(10) });
    expect(read()).toBeLessThanOrEqual(16);
    await readStore.close();
  });

  test('is folded where the read model holds its last event back', async () => {
    const log = longStream(3);
    const broken = log.map((event) => (event.revision < 2 ? event : { ...event, type: 'NotKnownYet' }));
    const { readStore } = await worldOf(broken, [accounts], open);
    const history = createAccountHistory({ eventStore: logOf(log).eventStore, readStore, timers });
    for (const one of ends) {
      const found = await history.asOf('ann', one);
      expect([found?.revision, found?.account.wallet.balance]).toEqual([2, '2.00']);
    }
    await readStore.close();
  });

  test('says nothing of a person in clear, and nothing else than of one who is forgotten', async () => {
    const [opened] = longStream(1) as [RecordedEvent];
    const log = [opened, recorded(2, 'account-ann', 'PersonForgotten', {}, 1)];
    for (const count of [1, 2]) {
      const events = log.slice(0, count);
      const { readStore } = await worldOf(events, [accounts], open);
      expect(JSON.stringify(await readStore.get('accounts', 'ann')).includes('ann@lode')).toBe(count === 1);
      const { eventStore } = logOf(events);
      const found = await createAccountHistory({ eventStore, readStore, timers }).asOf('ann', undefined);
      expect(found).toEqual(await foldedFrom(events).asOf('ann', undefined));
      expect(found?.account.email).toBe('forgotten');
      await readStore.close();
    }
  });
});
