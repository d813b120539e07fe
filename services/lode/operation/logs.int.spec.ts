import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createAggregates, type Aggregates } from '#application';
import { withFaults } from '#commands/testing';
import { createMemoryEventStore } from '#event-store/memory';
import { LodeError, systemClock, systemTimers } from '#kernel';
import { accountStream } from '#ledger';
import { createLogger } from '../logger.js';
import { quietApi, quietSettings } from '../testing/index.js';

const [EMAIL, NUMBER] = ['ann.canary@lode.example', '3012345678'];
const away = async () => {
  throw new LodeError('unavailable', 'The read models cannot be reached.');
};

/** A program's lines, each as what it has. */
function lines() {
  const written: string[] = [];
  return {
    logger: createLogger({ level: 'info' }, { write: (line: string) => void written.push(line) }),
    all: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    text: () => written.join(''),
  };
}

describe('a line about a request that failed', () => {
  const { store, plan, away: cutOff } = withFaults(createMemoryEventStore());
  let aggregates: Aggregates;
  let log: ReturnType<typeof lines>;
  let app: Awaited<ReturnType<typeof quietApi>>;
  let role: 'admin' | 'user';
  beforeEach(async () => {
    [log, role] = [lines(), 'admin'];
    aggregates = createAggregates({ eventStore: store, clock: systemClock });
    const ports = {
      eventStore: store,
      readStore: { get: away, list: away, position: away },
      identity: {
        sessions: { authenticate: () => ({ userId: 'ada', role, sessionId: 's1' }) },
        personKeys: { encryptFor: away },
      },
      projections: { onChanges: () => () => undefined, onRebuilt: () => () => undefined },
      clock: systemClock,
      timers: systemTimers,
    };
    app = await quietApi({ ports, aggregates }, { ...quietSettings, logger: log.logger });
  });
  afterEach(async () => {
    cutOff(false);
    await app.close();
  });

  const send = (method: 'GET' | 'POST', url: string, headers: object, payload?: object) =>
    app.inject({
      method,
      url,
      headers: { authorization: 'Bearer any', ...headers },
      ...(payload === undefined ? {} : { payload }),
    });

  test.each([
    ['an e-mail in a search', `/api/accounts?search=${EMAIL}`, '/api/accounts'],
    ['an e-mail in a search, encoded', `/api/accounts?search=${encodeURIComponent(EMAIL)}`, '/api/accounts'],
    ['the number of an account', `/api/account-numbers/${NUMBER}`, '/api/account-numbers/:accountNumber'],
  ])('has the route and the correlation that was sent, and not %s', async (_, url, route) => {
    const correlationId = randomUUID();
    const { statusCode } = await send('GET', url, { 'x-correlation-id': correlationId });
    expect(statusCode).toBe(503);
    expect(log.all()).toMatchObject([{ method: 'GET', route, correlationId, code: 'unavailable' }]);
    for (const secret of [EMAIL, encodeURIComponent(EMAIL), NUMBER]) expect(log.text()).not.toContain(secret);
  });

  const credit = { amounts: { BTC: '5.00' }, reason: 'a test' };

  test('has the correlation of its command, which is the command’s id where none was sent', async () => {
    const userId = randomUUID();
    const [sent, url] = [randomUUID(), `/api/accounts/${userId}/adjustments`];
    cutOff(true);
    await send('POST', url, { 'idempotency-key': 'one' }, credit);
    await send('POST', url, { 'idempotency-key': 'one', 'x-correlation-id': sent }, credit);
    await send('POST', url, { 'idempotency-key': 'one', 'x-correlation-id': EMAIL }, credit);
    const [first] = log.all();
    const commandId = first?.['commandId'];
    expect(commandId).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    const route = '/api/accounts/:userId/adjustments';
    expect(log.all()).toMatchObject([
      { route, commandId, correlationId: commandId },
      { route, commandId, correlationId: sent },
      { route, commandId, correlationId: commandId },
    ]);
    expect(log.text()).not.toContain(EMAIL);
  });

  test('is one for each of many adjustments that failed, with its command and what all have in common', async () => {
    const items = ['one', 'two'].map((key) => ({ key, userId: randomUUID(), amounts: { BTC: '5.00' } }));
    for (const { userId } of items) await open(userId);
    plan('storage_full', 'storage_full');
    expect((await send('POST', '/api/bulk/adjustments', {}, { reason: 'a test', items })).statusCode).toBe(
      200,
    );
    expectEachItem('storage_full');
  });

  test('is one for each of many decisions that failed, with its command and what all have in common', async () => {
    const asked = { kind: 'Funding', requestId: 'A'.repeat(34) };
    const items = ['one', 'two'].map((key) => ({ key, userId: randomUUID(), ...asked }));
    cutOff(true);
    const { statusCode } = await send('POST', '/api/bulk/decisions', {}, { verdict: 'reject', items });
    expect(statusCode).toBe(200);
    expectEachItem('unavailable');
  });

  function expectEachItem(code: string): void {
    const [first, second, ...others] = log.all();
    expect(others).toEqual([]);
    expect(first?.['correlationId']).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(second).toMatchObject({ code, correlationId: first?.['correlationId'] });
    expect(first?.['commandId']).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(second?.['commandId']).not.toBe(first?.['commandId']);
  }

  async function open(userId: string): Promise<void> {
    const opening = {
      type: 'OpenAccount',
      userId,
      accountNumber: NUMBER,
      role: 'user',
      profile: 'x',
    } as const;
    const [actor, id] = [{ kind: 'operator', id: 'operator', role: 'system' } as const, randomUUID()];
    const context = { actor, commandId: id, requestHash: id, correlationId: id, causationId: id };
    await aggregates.accounts.execute(accountStream(userId), opening, context);
  }
});

test('of an error its words and where it came from are logged, and not what a library hangs onto it', () => {
  const log = lines();
  const cause = Object.assign(new Error('E11000'), { keyValue: { email: EMAIL } });
  log.logger.error({
    err: Object.assign(new Error('not stored', { cause }), { document: { email: EMAIL } }),
  });
  log.logger.error(Object.assign(cause, { code: 11_000 }), 'told');
  log.logger.error({ err: new LodeError('storage_failed', 'Damaged.', { stream: accountStream('u1') }) });
  log.logger.error({ err: 'thrown' });
  expect(log.text()).not.toContain(EMAIL);
  expect(log.all()).toMatchObject([
    { err: { type: 'Error', message: 'not stored: E11000', stack: expect.stringContaining('caused by') } },
    { msg: 'told', err: { code: 11_000, message: 'E11000' } },
    { err: { code: 'storage_failed', details: { stream: 'account-u1' } } },
    { err: { message: 'thrown' } },
  ]);
});
