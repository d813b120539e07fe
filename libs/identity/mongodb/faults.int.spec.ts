import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import {
  createIdentity,
  FORGOTTEN,
  type IdentityStore,
  type Reservation,
  type Rotation,
  type SessionRow,
} from '#identity';
import { openMongoIdentityStore } from '#identity/mongodb';
import { startDouble, type Fault, type MongoDbDouble } from '#mongodb/double';

const reservationOf = (userId: string): Reservation => ({
  userId,
  email: `${userId}@example.org`,
  accountNumber: `number of ${userId}`,
  passwordHash: 'old hash',
  role: 'user',
  reservedAt: 1,
  owner: '',
  personKey: new Uint8Array(32).fill(7),
});

const sessionOf = (sessionId: string, lastUsedAt = 1): SessionRow => ({
  sessionId,
  userId: 'ann',
  role: 'user',
  createdAt: 1,
  lastUsedAt,
  address: 'here',
  agent: 'Test/1.0',
  idleEndsAt: 1_000,
  endsAt: 2_000,
  generation: 0,
  rotatedAt: 1,
});

const accessOf = (sessionId: string, n = 0) => ({ hash: `access ${n} of ${sessionId}`, expiresAt: 900 });

const rotationOf = (sessionId: string, generation: number): Rotation => ({
  ...sessionOf(sessionId, 10 + generation),
  expectedGeneration: generation - 1,
  generation,
  access: accessOf(sessionId, generation),
  refreshHash: `refresh ${generation} of ${sessionId}`,
});

const open = (store: IdentityStore, id: string, at = 1) =>
  store.openSession(sessionOf(id, at), accessOf(id), `refresh 0 of ${id}`);

/** Ann can sign in and is signed in twice, with a pin; Bob has only reserved; there is a key of a message. */
async function fill(store: IdentityStore): Promise<void> {
  for (const userId of ['ann', 'bob']) await store.reserve(reservationOf(userId));
  await store.activate('ann', 1);
  await store.putPin('ann', 'pin hash');
  await store.takePinTry('ann', 5);
  await store.queueMail(mailOf('mail'));
  await open(store, 'one');
  await open(store, 'two', 2);
}

const next = { passwordHash: 'next hash', role: 'user', reservedAt: 2, owner: 'other' } as const;

const mailOf = (mailId: string) => ({
  ...{ mailId, userId: 'bob', kind: 'test', recipient: 'sealed', body: 'sealed' },
  ...{ queuedAt: 1, giveUpAt: 8, dueAt: 1 },
});
const linkOf = (hash: string) => ({ hash, purpose: 'test', userId: 'ann', epoch: 0, expiresAt: 8 });

/** Each operation that writes; by its answer is known what it did. */
const operations: Readonly<Record<string, (store: IdentityStore) => Promise<unknown>>> = {
  reserve: (store) => store.reserve(reservationOf('carl')),
  takeOver: (store) => store.takeOver('bob', 1, next),
  activate: (store) => store.activate('bob', 1),
  release: (store) => store.release('bob', 1),
  setPassword: (store) => store.setPassword('ann', 'old hash', 'next hash'),
  changePassword: (store) => store.changePassword('ann', 'old hash', 'next hash', 'two'),
  suspend: (store) => store.suspend('ann'),
  reinstate: async (store) => [await store.suspend('bob'), await store.reinstate('bob')][1],
  eraseCredential: (store) => store.eraseCredential('ann'),
  putPin: (store) => store.putPin('ann', 'next pin hash'),
  changeSecondFactor: (store) =>
    store.changeSecondFactor('ann', undefined, { isOn: true, sealed: 's', stamp: 'a' }, { except: 'two' }),
  takePinTry: (store) => store.takePinTry('ann', 5),
  restorePinTries: (store) => store.restorePinTries('ann', 'pin hash'),
  createPersonKey: (store) => store.createPersonKey('message', new Uint8Array(32)),
  destroyPersonKey: (store) => store.destroyPersonKey('ann', 5),
  giveUpPersonKeys: (store) => store.giveUpPersonKeys(['lost'], 5),
  openSession: (store) => open(store, 'three', 3),
  rotate: (store) => store.rotate(rotationOf('one', 1)),
  proveSession: (store) => store.proveSession('one', 'ann', 5),
  endSession: (store) => store.endSession('one'),
  endSessionsOf: (store) => store.endSessionsOf('ann', 'two'),
  claim: (store) => store.claim('a platform'),
  queueMail: (store) => store.queueMail(mailOf('next mail')),
  beginMail: (store) => store.beginMail('mail', 0, 9),
  endMail: (store) => store.endMail('mail', 0, { state: 'sent', dueAt: 9 }),
  putLink: (store) => store.putLink(linkOf('next link')),
  putInvitationToken: (store) => store.putInvitationToken('invitation', { hash: 'hash', expiresAt: 5 }),
};

const codes: Readonly<Partial<Record<Fault, string>>> = {
  'not-primary': 'unavailable',
  'disk-full': 'storage_full',
  'cut-before': 'unknown_outcome',
  'timeout-before': 'unknown_outcome',
};
const faults: readonly Fault[] = [
  'not-primary',
  'disk-full',
  'cut-before',
  'timeout-before',
  'cut-after',
  'timeout-after',
  'write-concern',
];

describe('the identity store on MongoDB (double)', () => {
  let server: MongoDbDouble;
  let store: IdentityStore;
  const openStore = () => openMongoIdentityStore({ url: server.url, database: 'lode' });

  /** All that is stored, but for the tokens of the writes, and the checksums, which cover them. */
  const everything = async () => {
    const client = new MongoClient(server.url);
    const database = client.db('lode');
    const all: unknown[] = [];
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray())
      for (const { write, sum: _, ...rest } of await database
        .collection(name)
        .find()
        .sort({ _id: 1 })
        .toArray()) {
        expect(name === 'identity.used-tokens' || typeof write === 'string').toBe(true);
        all.push([name, rest]);
      }
    await client.close();
    return all;
  };

  beforeEach(async () => {
    server = await startDouble({ replicaSet: 'rs0' });
    store = await openStore();
    await fill(store);
  });
  afterEach(async () => {
    await store.close();
    await server.stop();
  });

  /** What an operation answers, and leaves behind, when nothing goes wrong. */
  const undisturbed = async (name: string) => {
    const [mine, mineToo] = [server, store];
    server = await startDouble({ replicaSet: 'rs0' });
    store = await openStore();
    await fill(store);
    const answer = await operations[name]?.(store);
    const left = await everything();
    await store.close();
    await server.stop();
    [server, store] = [mine, mineToo];
    return { answer, left };
  };

  describe.each(faults)('when a write has the fault %s', (fault) => {
    test.each(Object.keys(operations))(
      '%s is done once, and says so or that it is not known',
      async (name) => {
        const wanted = await undisturbed(name);
        const before = await everything();
        server.failNext('any write', fault);
        const code = name === 'endSession' && fault.endsWith('-before') ? undefined : codes[fault];
        if (code !== undefined) {
          await expect(operations[name]?.(store)).rejects.toMatchObject({ code });
          expect(await everything()).toEqual(before);
        }
        expect(await operations[name]?.(store)).toEqual(wanted.answer);
        expect(await everything()).toEqual(wanted.left);
        expect(server.faultsLeft()).toBe(0);
      },
    );

    test.each(['changePassword', 'eraseCredential', 'endSessionsOf'])(
      'a %s stands also when the sessions that it ended are not deleted',
      async (name) => {
        const { answer } = await undisturbed(name);
        server.failNext('delete', fault);
        expect(await operations[name]?.(store)).toEqual(answer);
        expect(await store.sessionByAccess(accessOf('one').hash)).toBeUndefined();
        expect(await store.sessionByRefresh('refresh 0 of one')).toBeUndefined();
        expect(await store.rotate(rotationOf('one', 1))).toBe('conflict');
        const kept = name === 'changePassword' || name === 'endSessionsOf' ? ['two'] : [];
        expect((await store.sessionsOf('ann', 5)).map(({ sessionId }) => sessionId)).toEqual(kept);
      },
    );

    test('in a refresh that lets go of old tokens, the same again does it', async () => {
      await store.rotate(rotationOf('one', 1));
      server.failNext('any write', fault);
      const code = codes[fault] ?? 'unknown_outcome';
      await expect(store.rotate(rotationOf('one', 2))).rejects.toMatchObject({ code });
      expect(await store.sessionByRefresh('refresh 0 of one')).toMatchObject({ generation: 0 });
      expect(await store.rotate(rotationOf('one', 2))).toBe('rotated');
      for (const generation of [0, 1, 2])
        expect(await store.sessionByRefresh(`refresh ${generation} of one`)).toMatchObject({
          generation,
          session: { sessionId: 'one', generation: 2 },
        });
    });
  });

  test.each([
    // What a suspension ended stays there for as long as it lasts.
    ['suspend', ['two', 'one']],
    ['eraseCredential', []],
  ])('a %s that can’t say which sessions it ended says them when it is asked again', async (name, again) => {
    // The driver asks twice.
    server.failNext('find', 'none', 'cut-before', 'cut-before');
    await expect(operations[name]?.(store)).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(server.faultsLeft()).toBe(0);
    expect(await store.sessionsOf('ann', 5)).toEqual([]);
    expect(await operations[name]?.(store)).toEqual(['two', 'one']);
    expect(await operations[name]?.(store)).toEqual(again);
  });

  test('a session that a suspension overtakes while it opens never lives', async () => {
    const session = { ...sessionOf('late'), userId: 'ann' };
    const opening = store.openSession(session, accessOf('late'), 'refresh 0 of late', 0);
    await store.suspend('ann');
    await opening;
    await store.reinstate('ann');
    expect(await store.sessionByAccess(accessOf('late').hash)).toBeUndefined();
    expect(await store.sessionsOf('ann', 5)).toEqual([]);
  });

  test('a session that was ended is not kept by a later change', async () => {
    server.failNext('delete', 'cut-before');
    await store.suspend('ann');
    await store.reinstate('ann');
    await store.changePassword('ann', 'old hash', 'next hash', 'one');
    expect(await store.sessionsOf('ann', 5)).toEqual([]);
  });

  test('what no majority had is not read, and not said to be done', async () => {
    server.loseMajority();
    await expect(store.suspend('ann')).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect((await store.credentialOf('ann'))?.suspended).toBe(false);
    server.comeBack('without the last writes');
    const again = await openStore();
    expect(await again.suspend('ann')).toEqual(['two', 'one']);
    expect(await again.credentialOf('ann')).toMatchObject({ suspended: true, epoch: 1 });
    await again.close();
  });

  test('a change that was not written is not counted, one that may have been is', async () => {
    const { changes: before } = await store.standing();
    server.failNext('update', 'not-primary');
    await expect(store.putPin('ann', 'another')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.standing()).toMatchObject({ changes: before });
    server.failNext('update', 'cut-after', 'cut-after');
    await expect(store.putPin('ann', 'another')).rejects.toMatchObject({ code: 'unknown_outcome' });
    await store.putPin('ann', 'another');
    expect(server.faultsLeft()).toBe(0);
    expect(await store.standing()).toMatchObject({ changes: before + 2 });
  });

  test('says that the server is not there, and goes on when it is', async () => {
    await server.stop();
    const hasty = openMongoIdentityStore({ url: server.url, database: 'lode', selectMs: 50 });
    await expect(hasty).rejects.toMatchObject({ code: 'unavailable' });
    const reading = store.credentialOf('ann').catch((error: unknown) => error);
    await server.start();
    await reading;
    expect(await store.credentialOf('ann')).toMatchObject({ email: 'ann@example.org' });
  });

  test('a store of another format is not opened', async () => {
    const client = new MongoClient(server.url);
    await client
      .db('lode')
      .collection('identity.format')
      .updateMany({}, { $set: { format: 2 } });
    await client.close();
    await expect(openStore()).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test('of an opened account only a destroyed key is forgotten: in a store without it nothing is read', async () => {
    const open = await createIdentity({ store, isOpen: async () => true });
    const text = await open.personKeys.encryptFor('ann', { firstname: 'Ann' });
    const empty = await openMongoIdentityStore({ url: server.url, database: 'restored' });
    const restored = await createIdentity({ store: empty, isOpen: async (userId) => userId === 'ann' });
    await expect(restored.personKeys.decryptFor('ann', text)).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/^The key of person ann is missing/),
    });
    expect(await restored.personKeys.decryptFor('stranger', text)).toBe(FORGOTTEN);
    await empty.close();
    await open.personKeys.destroyKey('ann');
    expect(await open.personKeys.decryptFor('ann', text)).toBe(FORGOTTEN);
  });

  test('a person who signs out is out here, also when nobody knows whether the store heard of it', async () => {
    const { sessions } = await createIdentity({ store, isOpen: async () => true });
    const { accessToken, session } = await sessions.start(
      { userId: 'ann', role: 'user' },
      { address: '', agent: '' },
    );
    await sessions.authenticate(accessToken);
    server.failNext('delete', 'cut-after', 'cut-after');
    await expect(sessions.endSession(session.sessionId)).rejects.toMatchObject({ code: 'unknown_outcome' });
    await expect((async () => sessions.authenticate(accessToken))()).rejects.toMatchObject({
      code: 'token_invalid',
    });
  });
});
