import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeLimits, type IdentityStore, type SessionRow } from '#identity';
import { openMongoIdentityStore } from '#identity/mongodb';
import { opened } from '#kernel/testing';
import { spawnDouble, type DoubleProcess } from '#mongodb/double';

const CROWD = storeLimits.sessionsPerPerson;

function openIn(store: IdentityStore, n: number) {
  const row: SessionRow = {
    sessionId: `s${n}`,
    userId: 'ann',
    role: 'user',
    createdAt: 1,
    lastUsedAt: n,
    address: 'here',
    agent: 'Test/1.0',
    idleEndsAt: 1_000,
    endsAt: 2_000,
    generation: 0,
    rotatedAt: 1,
  };
  return store.openSession(row, { hash: `a${n}`, expiresAt: 900 }, `s${n} r0`);
}

const refreshIn = (store: IdentityStore, generation: number) =>
  store.rotate({
    sessionId: 's0',
    expectedGeneration: generation - 1,
    generation,
    rotatedAt: 5,
    lastUsedAt: 5,
    idleEndsAt: 1_000,
    address: 'here',
    agent: 'Test/1.0',
    access: { hash: `b${generation}`, expiresAt: 900 },
    refreshHash: `s0 r${generation}`,
  });

const idsIn = async (store: IdentityStore) =>
  (await store.sessionsOf('ann', 5)).map(({ sessionId }) => sessionId).toSorted();

const FACTOR = { isOn: true, sealed: 'v1.sealed', stamp: 'one' };

type Case = {
  readonly name: string;
  /** Single writes that it comes to. */
  readonly writes: number;
  readonly before?: (store: IdentityStore) => Promise<unknown>;
  readonly work: (store: IdentityStore) => Promise<unknown>;
  /** What is so after each of them, whatever was not written any more. */
  readonly after: (store: IdentityStore, written: number) => Promise<void>;
};

const cases: readonly Case[] = [
  {
    name: 'openSession beyond the limit',
    writes: 2,
    before: async (store) => {
      for (let n = 2; n < CROWD; n++) await openIn(store, n);
    },
    work: (store) => openIn(store, CROWD),
    after: async (store, written) => {
      expect(await store.sessionByAccess(`a${CROWD}`)).toBeDefined();
      expect(await idsIn(store)).toHaveLength(CROWD);
      expect((await store.sessionByAccess('a0')) === undefined).toBe(written === 2);
      await openIn(store, CROWD + 1);
      for (const gone of ['a0', 'a1']) expect(await store.sessionByAccess(gone)).toBeUndefined();
    },
  },
  {
    name: 'rotate',
    writes: 2,
    before: (store) => refreshIn(store, 1),
    work: (store) => refreshIn(store, 2),
    after: async (store, written) => {
      const generation = written === 2 ? 2 : 1;
      for (const [hash, of] of [
        ['s0 r0', 0],
        ['s0 r1', 1],
      ] as const)
        expect(await store.sessionByRefresh(hash)).toMatchObject({ generation: of, session: { generation } });
      expect((await store.sessionByRefresh('s0 r2')) !== undefined).toBe(written === 2);
      expect(await refreshIn(store, generation + 1)).toBe('rotated');
    },
  },
  {
    name: 'changePassword',
    writes: 2,
    work: (store) => store.changePassword('ann', 'hash', 'next hash', 's1'),
    after: async (store) => {
      expect(await store.credentialOf('ann')).toMatchObject({ passwordHash: 'next hash', epoch: 1 });
      expect(await idsIn(store)).toEqual(['s1']);
    },
  },
  {
    name: 'changeSecondFactor',
    writes: 2,
    work: (store) => store.changeSecondFactor('ann', undefined, FACTOR, { except: 's1' }),
    after: async (store) => {
      expect(await store.secondFactorOf('ann')).toEqual(FACTOR);
      expect(await idsIn(store)).toEqual(['s1']);
    },
  },
  {
    name: 'suspend',
    writes: 1,
    work: (store) => store.suspend('ann'),
    after: async (store) => {
      expect(await idsIn(store)).toEqual([]);
      expect(await store.suspend('ann')).toHaveLength(2);
      expect(await store.credentialOf('ann')).toMatchObject({ suspended: true, epoch: 1 });
      await store.reinstate('ann');
      expect(await idsIn(store)).toEqual([]);
    },
  },
  {
    name: 'eraseCredential',
    writes: 3,
    work: (store) => store.eraseCredential('ann'),
    after: async (store, written) => {
      expect(await idsIn(store)).toEqual([]);
      expect(await store.credentialByEmail('ann@example.org')).toBeUndefined();
      expect(await store.pinTriesOf('ann')).toBeUndefined();
      expect(await store.eraseCredential('ann')).toHaveLength(3 - written);
    },
  },
  {
    name: 'endSessionsOf',
    writes: 2,
    work: (store) => store.endSessionsOf('ann', 's1'),
    after: async (store) => expect(await idsIn(store)).toEqual(['s1']),
  },
  {
    name: 'release',
    writes: 2,
    work: (store) => store.release('bob', 1),
    after: async (store) => {
      expect(await store.credentialOf('bob')).toBeUndefined();
      expect(await store.personKey('bob')).toEqual({ kind: 'unknown' });
      expect(await store.release('bob', 1)).toBe(false);
      expect(await reserveIn(store, 'bob')).toBe('reserved');
    },
  },
  {
    name: 'prune',
    writes: 2,
    work: (store) => store.prune(1_001),
    after: async (store, written) => {
      expect(await store.prune(1_001)).toBe(2 - written);
      expect(await store.sessionByAccess('a0')).toBeUndefined();
    },
  },
];

const reserveIn = (store: IdentityStore, userId: string) =>
  store.reserve({
    userId,
    email: `${userId}@example.org`,
    accountNumber: `number of ${userId}`,
    passwordHash: 'hash',
    role: 'user',
    reservedAt: 1,
    owner: '',
    personKey: new Uint8Array(32),
  });

describe('a MongoDB server (double) that is killed between two writes', () => {
  let folder: string;
  let server: DoubleProcess;
  const openStore = (patience: { readonly selectMs?: number } = {}) =>
    openMongoIdentityStore({ url: server.url(), database: 'lode', ...patience });
  /** One that says soon that the server is dead. */
  const openHasty = () => opened(() => openStore({ selectMs: 1_000 }));
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-identity-'));
    server = await spawnDouble(join(folder, 'data'), 'rs0');
  });
  afterEach(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });

  const each = cases.flatMap((one) =>
    Array.from({ length: one.writes }, (_, n) => [one.name, n + 1, one] as const),
  );
  test.each(each)('in %s, after write %i', async (_, written, { before, work, after }) => {
    const store = await openHasty();
    for (const userId of ['ann', 'bob']) await reserveIn(store, userId);
    await store.activate('ann', 1);
    await store.putPin('ann', 'pin hash');
    for (const n of [0, 1]) await openIn(store, n);
    await before?.(store);
    await server.dieAfter(written);
    const worked = work(store).catch((error: unknown) => error);
    await server.died();
    await worked;
    await server.revive();
    await store.close();
    const again = await openStore();
    await after(again, written);
    await again.close();
  });
});
