import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  admitKeyRing,
  createIdentity,
  createPersonKeysReader,
  isRewrapDue,
  rewrapStore,
  type Identity,
  type IdentityStore,
  type KeyRing,
} from '#identity';
import { quickHasher } from '#identity/testing';
import { systemRandom } from '#kernel';
import { createWorld, register, type IdentityStoreFixture, type World } from './world.js';

const keyOf = (id: string, fill: number) => ({ id, bytes: new Uint8Array(32).fill(fill) });
const [OLD, NEW] = [keyOf('old', 1), keyOf('new', 2)];
const PIN = '1234';
const DATA = { name: 'Ann' };
const quiet = { random: systemRandom, progress: () => undefined };

/** Identity over the world's store with keys, as a program begins it. */
async function begun(world: World, keys: KeyRing): Promise<Identity> {
  await admitKeyRing(world.store, keys, systemRandom);
  const { store, open } = world;
  return createIdentity({
    store,
    hasher: quickHasher,
    keys,
    isOpen: async (userId) => open.has(userId),
    clock: () => world.now,
  });
}

/** Somebody with all that is sealed of a person. */
async function joined(world: World, identity: Identity) {
  const ann = await register({ ...world, identity });
  await identity.transferPins.set(ann.userId, PIN);
  return { ...ann, text: await identity.personKeys.encryptFor(ann.userId, DATA) };
}

type Joined = Awaited<ReturnType<typeof joined>>;

async function expectAllWell(world: World, identity: Identity, ann: Joined, keys: KeyRing): Promise<void> {
  expect(await identity.credentials.verifyPassword(ann.email, ann.password)).toMatchObject({
    userId: ann.userId,
  });
  await identity.transferPins.verify(ann.userId, PIN);
  expect(await identity.personKeys.decryptFor(ann.userId, ann.text)).toEqual(DATA);
  const reader = createPersonKeysReader({
    read: async (ids) =>
      new Map(await Promise.all(ids.map(async (id) => [id, await world.store.personKey(id)] as const))),
    close: async () => undefined,
    ring: keys,
  });
  await reader.load([ann.userId]);
  expect(reader.decrypt(ann.userId, ann.text)).toEqual(DATA);
}

/** How each secret in a store begins, whoever's it is. */
async function beginnings(store: IdentityStore): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { credential, key, pin } of await store.people('', 1_000)) {
    const texts = [
      key?.kind === 'key' && key.key.length > 32 ? Buffer.from(key.key).toString('latin1') : key?.kind,
      credential !== undefined && 'passwordHash' in credential ? credential.passwordHash : undefined,
      pin?.hash,
    ];
    for (const text of texts)
      if (text !== undefined) found.add(/^(?:k1\.\w+|\$argon2id|.*)/.exec(text)?.[0] ?? '');
  }
  return found;
}

export function sealingContract(fixture: () => Promise<IdentityStoreFixture>): void {
  describe('keys outside the store', () => {
    let world: World;
    beforeEach(async () => void (world = await createWorld(fixture)));
    afterEach(() => world.end());

    test('seal what is kept of people, and open it again after a restart', async () => {
      const ann = await joined(world, await begun(world, [OLD]));
      await world.restart();
      expect(await beginnings(world.store)).toEqual(new Set(['k1.old']));
      expect(isRewrapDue(await world.store.sealKeys(), [OLD])).toBe(false);
      const identity = await begun(world, [OLD]);
      await expectAllWell(world, identity, ann, [OLD]);
      await identity.credentials.changePassword(ann.userId, { old: ann.password, new: 'another one' });
      await identity.personKeys.createKey('message');
      expect(await beginnings(world.store)).toEqual(new Set(['k1.old']));
      await expectAllWell(world, identity, { ...ann, password: 'another one' }, [OLD]);
    });

    test.each([
      ['none', [], /wrapped with the key old, and LODE_KEY_FILE is not set/],
      ['another', [NEW], /wrapped with the key old, and the file that LODE_KEY_FILE names has new alone/],
      [
        'another by the same id',
        [keyOf('old', 3)],
        /The key old in the file that LODE_KEY_FILE names is another one/,
      ],
    ])('are missed by a program that has %s', async (_, keys, sentence) => {
      await begun(world, [OLD]);
      await world.restart();
      await expect(admitKeyRing(world.store, keys, systemRandom)).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringMatching(sentence),
      });
    });

    test('can come later, and wrap what was there, and all of it when that is asked for', async () => {
      const ann = await joined(world, world.identity);
      const bob = await joined(world, await begun(world, [OLD]));
      expect(await beginnings(world.store)).toEqual(new Set(['key', '$argon2id', 'k1.old']));
      expect(isRewrapDue(await world.store.sealKeys(), [OLD])).toBe(true);
      expect(await rewrapStore(world.store, [OLD], quiet)).toEqual({ changed: 1, left: 0, why: [] });
      await world.restart();
      expect(isRewrapDue(await world.store.sealKeys(), [OLD])).toBe(false);
      expect(await beginnings(world.store)).toEqual(new Set(['k1.old']));
      const identity = await begun(world, [OLD]);
      for (const one of [ann, bob]) await expectAllWell(world, identity, one, [OLD]);
    });

    test('are replaced, cut off in the middle and done again, and work together until then', async () => {
      const people = [];
      const before = await begun(world, [OLD]);
      for (let n = 0; n < 3; n++) people.push(await joined(world, before));
      const erased = await register({ ...world, identity: before });
      await before.personKeys.destroyKey(erased.userId);
      await before.credentials.erase(erased.userId);
      const both = [NEW, OLD];
      await begun(world, both);
      const cutOff: IdentityStore = {
        ...world.store,
        renewSecrets: async (after, _, renew) => {
          if (after !== '') throw new Error('cut off');
          return world.store.renewSecrets(after, 2, renew);
        },
      };
      await expect(rewrapStore(cutOff, both, quiet)).rejects.toThrow('cut off');
      await world.restart();
      await expect(begun(world, [NEW])).rejects.toMatchObject({ code: 'storage_failed' });
      expect(await beginnings(world.store)).toContain('k1.new');
      expect(await beginnings(world.store)).toContain('k1.old');
      for (const ann of people) await expectAllWell(world, await begun(world, both), ann, both);
      await rewrapStore(world.store, both, quiet);
      await world.restart();
      expect(await beginnings(world.store)).toEqual(new Set(['k1.new', 'destroyed']));
      for (const ann of people) await expectAllWell(world, await begun(world, [NEW]), ann, [NEW]);
      expect(await rewrapStore(world.store, [NEW], quiet)).toMatchObject({ changed: 0, left: 0 });
    });
  });
}
