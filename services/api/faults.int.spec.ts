import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createAggregates } from '#application';
import { withFaults } from '#commands/testing';
import { createMemoryEventStore } from '#event-store/memory';
import { systemClock } from '#kernel';
import { accountStream } from '#ledger';
import { quietApi } from '../lode/testing/index.js';

const { store, plan } = withFaults(createMemoryEventStore());
const aggregates = createAggregates({ eventStore: store, clock: systemClock });
let app: Awaited<ReturnType<typeof quietApi>>;
let userId: string;

beforeEach(async () => {
  app = await quietApi({
    ports: {
      eventStore: store,
      identity: { sessions: { authenticate: () => ({ userId: 'ada', role: 'admin', sessionId: 's1' }) } },
      projections: { onChanges: () => () => undefined, onRebuilt: () => () => undefined },
      clock: systemClock,
    },
    aggregates,
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
