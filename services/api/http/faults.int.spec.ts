import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createAggregates } from '#application';
import { createOpenOutcomes } from '#commands';
import { withFaults } from '#commands/testing';
import { createMemoryEventStore } from '#event-store/memory';
import { bulkAdjustmentsAnswer } from '#contracts';
import { systemClock, systemTimers } from '#kernel';
import { accountStream } from '#ledger';
import { quietApi } from '../../lode/testing/index.js';

const { store, plan, away } = withFaults(createMemoryEventStore());
const outcomes = createOpenOutcomes();
const aggregates = createAggregates({ eventStore: store, clock: systemClock, outcomes });
let app: Awaited<ReturnType<typeof quietApi>>;
let userId: string;

beforeEach(async () => {
  app = await quietApi({
    ports: {
      eventStore: store,
      identity: { sessions: { authenticate: () => ({ userId: 'ada', role: 'admin', sessionId: 's1' }) } },
      projections: { onChanges: () => () => undefined, onRebuilt: () => () => undefined },
      clock: systemClock,
      timers: systemTimers,
    },
    aggregates,
    outcomes,
  });
  userId = randomUUID();
  const accountNumber = '3000000001';
  const opening = { type: 'OpenAccount', userId, accountNumber, role: 'user', profile: 'x' } as const;
  const id = randomUUID();
  await aggregates.accounts.execute(accountStream(userId), opening, {
    actor: { kind: 'operator', id: 'operator', role: 'system' },
    commandId: id,
    requestHash: id,
    correlationId: id,
    causationId: id,
  });
});
afterEach(() => app.close());

const credit = (key: string) =>
  app.inject({
    method: 'POST',
    url: `/api/accounts/${userId}/adjustments`,
    headers: { authorization: 'Bearer any', 'idempotency-key': key },
    payload: { amounts: { BTC: '5.00' }, reason: 'a test' },
  });
const types = async () =>
  (await store.readStream(accountStream(userId), { limit: 10 })).map(({ type }) => type);

describe('a command that the log can’t take', () => {
  test.each([
    ['is full', 'storage_full'],
    ['can’t be reached', 'unavailable'],
  ] as const)(
    'because it %s is refused with nothing appended, and taken later under its key',
    async (_, fault) => {
      const key = randomUUID();
      plan(...Array<typeof fault>(50).fill(fault));
      const refused = await credit(key);
      expect(refused.headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect([refused.statusCode, refused.json()]).toEqual([
        503,
        expect.objectContaining({ status: 503, code: fault }),
      ]);
      expect(await types()).toEqual(['AccountOpened']);
      plan();
      expect((await credit(key)).statusCode).toBe(200);
      expect(await types()).toEqual(['AccountOpened', 'WalletCredited']);
    },
  );

  test.each(['lost-answer', 'late'] as const)(
    'or takes without saying so (%s) is there once, however often it is sent',
    async (fault) => {
      const key = randomUUID();
      plan(fault);
      await credit(key);
      plan();
      const [second, third] = [await credit(key), await credit(key)];
      expect([second.statusCode, third.statusCode]).toEqual([200, 200]);
      expect(third.json()).toEqual(second.json());
      expect(await types()).toEqual(['AccountOpened', 'WalletCredited']);
    },
  );
});

describe('a command of which nobody knows whether the log took it', () => {
  afterEach(() => away(false));

  const book = async (...items: readonly object[]) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/bulk/adjustments',
      headers: { authorization: 'Bearer any' },
      payload: { reason: 'a test', items },
    });
    return bulkAdjustmentsAnswer.parse(answer.json());
  };

  test.each(['lost-answer', 'unknown_outcome'] as const)(
    'is answered so (%s) until the log can be read again, and then what became of it',
    async (fault) => {
      const key = randomUUID();
      plan(fault);
      const first = await credit(key);
      away(true);
      const [second, other] = [await credit(key), await credit(randomUUID())];
      for (const answer of [first, second]) {
        expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
        expect(answer.json()).toMatchObject({
          code: 'unknown_outcome',
          detail: "We don't know yet whether this was done. Send it again: it is never done twice.",
        });
      }
      expect(other.json()).toMatchObject({ code: 'unavailable' });
      away(false);
      expect((await credit(key)).statusCode).toBe(200);
      expect(await types()).toEqual(['AccountOpened', 'WalletCredited']);
    },
  );

  test('is an item of many that is neither applied nor refused, and is applied once', async () => {
    const [key, refused] = [randomUUID(), randomUUID()];
    const items = [
      { key, userId, amounts: { BTC: '5.00' } },
      { key: refused, userId: randomUUID(), amounts: { BTC: '5.00' } },
    ];
    plan('lost-answer');
    const first = await book(...items);
    expect(first).toMatchObject({ applied: 0, refused: 1, unknown: 1, position: '0' });
    expect(first.results).toMatchObject([
      { status: 'unknown', key, problem: { status: 503, code: 'unknown_outcome' } },
      { status: 'refused', key: refused, problem: { code: 'account_not_found' } },
    ]);
    const again = await book(...items);
    expect(again).toMatchObject({ applied: 1, replayed: 1, refused: 1 });
    expect(again).not.toHaveProperty('unknown');
    expect(await types()).toEqual(['AccountOpened', 'WalletCredited']);
  });
});
