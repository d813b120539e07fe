import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionOf, type RecordedEvent } from '#kernel';
import { until } from '#kernel/testing';
import { accessStream, type AccessEvent } from '#ledger';
import { notifications, openPersonalData, type NotificationDocument } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import { decryptForTests, documentsOf, memoryLog, recorded, settled, started } from '../testing/index.js';

const client = 'sealed client';
const emails = { changeId: 'c1', emails: 'sealed emails' };
const open = openPersonalData(decryptForTests);
const options = { models: [notifications], open };

/** Every kind of event of a person's access, and what it tells of: undefined where it tells nothing. */
const all: readonly (readonly [AccessEvent, Partial<NotificationDocument> | undefined])[] = [
  [{ type: 'SignedIn', data: { sessionId: 's1', client } }, undefined],
  [{ type: 'SignedIn', data: { sessionId: 's2', client, network: 'new' } }, {}],
  [{ type: 'SignInRefused', data: { why: 'password', client, since: 'then', count: 1 } }, undefined],
  [{ type: 'SessionEnded', data: { sessionId: 's1', why: 'signed_out', client } }, undefined],
  [{ type: 'SessionsEnded', data: { why: 'password' } }, undefined],
  [{ type: 'PasswordChanged', data: { client } }, {}],
  [{ type: 'PasswordReset', data: { client } }, {}],
  [{ type: 'SecondFactorChanged', data: { change: 'set up', client } }, { change: 'set up' }],
  [{ type: 'SecondFactorChanged', data: { change: 'removed', client } }, { change: 'removed' }],
  [{ type: 'SecondFactorChanged', data: { change: 'passkey added', client } }, { change: 'passkey added' }],
  [{ type: 'EmailChangeAsked', data: { ...emails, client } }, {}],
  [{ type: 'EmailChangeConfirmed', data: { ...emails, epoch: 1, session: 's1', client } }, undefined],
  [{ type: 'EmailChanged', data: { ...emails, formerToldUntil: 'then' } }, {}],
  [{ type: 'EmailChangeFailed', data: { why: 'canceled', client } }, { failure: 'canceled' }],
  [{ type: 'EmailChangeFailed', data: { why: 'taken' } }, { failure: 'taken' }],
  [{ type: 'TransferPinSet', data: { client } }, {}],
  [{ type: 'TransferPinRefused', data: { triesLeft: 4, client } }, undefined],
  [{ type: 'ParkedEventDiscarded', data: { model: 'm', eventId: 'e', stream: 's', revision: 0 } }, undefined],
];

async function toldOf(events: readonly RecordedEvent[]): Promise<readonly NotificationDocument[]> {
  const [log, store] = [memoryLog(events), openSqliteReadStore({ file: ':memory:' })];
  const running = started({ log, store, ...options });
  await settled(running, await log.head());
  await running.runner.stop();
  return (await documentsOf(store, 'notifications')) as readonly NotificationDocument[];
}

test('tell each person what was changed of how they come in, nobody else, and nothing that is their own', async () => {
  const happening = fc.record({ userId: fc.constantFrom('anna', 'boris'), one: fc.constantFrom(...all) });
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 1 }), async (happenings) => {
      const told = await toldOf(
        happenings.map(({ userId, one: [{ type, data }] }, n) =>
          recorded(n + 1, accessStream(userId), type, { ...data }, n),
        ),
      );
      const expected = happenings.flatMap(({ userId, one: [{ type }, more] }, n) => {
        const none = { amount: null, change: null, currency: null, failure: null, inForceFrom: null };
        const own = { userId, kind: type, eventId: `event-${n + 1}`, reason: null, requestId: null };
        return more === undefined ? [] : [{ ...none, ...own, ...more }];
      });
      expect(told).toEqual(expected.map((one) => expect.objectContaining(one)));
      expect(told.map((one) => notifications.ownerOf(one))).toEqual(expected.map(({ userId }) => userId));
      expect(JSON.stringify(told)).not.toContain('sealed');
    }),
    { numRuns: 40 },
  );
});

test('say from when a wallet address is in force, where it waits', async () => {
  const saved = (position: number, waits: { from: string; meanwhile: string } | null) =>
    recorded(
      position,
      'account-anna',
      'WalletAddressSaved',
      { address: 'sealed address', currency: 'BTC', waits },
      position,
      undefined,
      2,
    );
  const from = '2026-01-02T00:00:00.002Z';
  const told = await toldOf([saved(1, null), saved(2, { from, meanwhile: 'sealed meanwhile' })]);
  expect(told.map(({ currency, inForceFrom }) => [currency, inForceFrom])).toEqual([
    ['BTC', null],
    ['BTC', from],
  ]);
  expect(JSON.stringify(told)).not.toContain('sealed');
});

test('of version 3 are served while those of today are built, which tell of what was changed before, too', async () => {
  const log = memoryLog([
    recorded(1, 'account-anna', 'AccountSuspended', {}),
    recorded(2, accessStream('anna'), 'PasswordChanged', {}),
  ]);
  const store = openSqliteReadStore({ file: ':memory:' });
  const build = await store.begin({ ...notifications, version: 3 }, { bulk: false });
  const old = { id: '1', kind: 'AccountSuspended', position: positionOf(1), userId: 'anna' };
  await store.write([{ build, checkpoint: { position: positionOf(2), ordinal: 2 }, put: [old], remove: [] }]);
  await store.activate(build);

  const { promise: held, resolve: letOn } = Promise.withResolvers<undefined>();
  const slow = {
    ...log,
    readAll: (...asked: Parameters<typeof log.readAll>) => held.then(() => log.readAll(...asked)),
  };
  const running = started({ log: slow, store, ...options });
  await until(() => running.runner.health().models[0]?.state === 'rebuilding');
  expect(await documentsOf(store, 'notifications')).toEqual([old]);
  letOn(undefined);
  await settled(running, '2');
  await running.runner.stop();
  const built = (await documentsOf(store, 'notifications')) as readonly NotificationDocument[];
  expect(built.map(({ kind }) => kind)).toEqual(['AccountSuspended', 'PasswordChanged']);
});
