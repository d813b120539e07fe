import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createIdentity, KEYS_HELD_MS, rewrapStore, type IdentityStore, type KeyRing } from '#identity';
import { systemRandom } from '#kernel';
import { startDouble, type MongoDbDouble } from '#mongodb/double';
import { identityOf, type OpenedAs } from './identity.js';

const keyOf = (id: string, fill: number) => ({ id, bytes: new Uint8Array(32).fill(fill) });
const [OLD, NEW] = [keyOf('old', 1), keyOf('new', 2)];
const hasher = { hash: async () => 'nothing', verify: async () => false };
const quiet = { random: systemRandom, progress: () => undefined };

let server: MongoDbDouble;
let now: number;
let opened: Set<IdentityStore>;
beforeEach(async () => {
  now = 1_000_000;
  opened = new Set();
  server = await startDouble({ replicaSet: 'rs0', clock: () => now });
});
afterEach(async () => {
  for (const store of opened) await close(store);
  await server.stop();
});

async function open(keys: KeyRing, as?: OpenedAs): Promise<IdentityStore> {
  const settings = { dataFolder: '/nowhere', mongodbUrl: server.url, keys };
  const store = await identityOf(settings).open(as);
  opened.add(store);
  return store;
}

/** Once: a store that is asked again connects again. */
async function close(store: IdentityStore): Promise<void> {
  opened.delete(store);
  await store.close();
}

/** Personal data under the keys of somebody at work on the store. */
async function personKeysOf(store: IdentityStore, keys: KeyRing) {
  return (await createIdentity({ store, keys, hasher, isOpen: async () => true })).personKeys;
}

/** By the server's clock nothing has been heard of anybody for so long. */
const pause = () => void (now += KEYS_HELD_MS);

test('a program that was paused while everything was wrapped with another key wraps nothing more (double)', async () => {
  const both = [OLD, NEW];
  const paused = await open(both, { program: 'paused' });
  const people = await personKeysOf(paused, both);
  await people.createKey('before');
  const text = await people.encryptFor('before', { name: 'Ann' });
  pause();
  const rewrapping = await open([NEW, OLD], { rewraps: true });
  expect(await rewrapStore(rewrapping, [NEW, OLD], quiet)).toMatchObject({ changed: 1, left: 0 });
  await close(rewrapping);

  const refused = {
    code: 'unavailable',
    message: expect.stringMatching(
      /until it is started again\. .* another key than old meanwhile: put that first/,
    ),
  };
  await expect(people.createKey('after')).rejects.toMatchObject(refused);
  await expect(paused.tryChange()).rejects.toMatchObject(refused);
  expect(await paused.personKey('after')).toEqual({ kind: 'unknown' });
  expect((await paused.sealKeys()).map(({ id }) => id)).toEqual(['new']);
  // What it can read it reads, and it keeps nobody from beginning who has the new key alone.
  expect(await people.decryptFor('before', text)).toEqual({ name: 'Ann' });
  expect(await (await personKeysOf(await open([NEW]), [NEW])).decryptFor('before', text)).toEqual({
    name: 'Ann',
  });
});

test('a program that was paused goes on where nothing has changed, and is seen again (double)', async () => {
  const paused = await open([OLD], { program: 'paused' });
  pause();
  await paused.tryChange();
  await expect(open([NEW, OLD], { rewraps: true })).rejects.toMatchObject({
    code: 'not_permitted',
    message: expect.stringContaining('does not have the key new'),
  });
});

test('a rewrap that was paused drops no key: others may have wrapped with it (double)', async () => {
  const both = [NEW, OLD];
  await close(await open([OLD]));
  const rewrapping = await open(both, { rewraps: true });
  const pausedAtItsEnd: IdentityStore = {
    ...rewrapping,
    keepSealKeys: async (ids) => {
      pause();
      const older = await personKeysOf(await open([OLD, NEW]), [OLD, NEW]);
      await older.createKey('meanwhile');
      return rewrapping.keepSealKeys(ids);
    },
  };
  await expect(rewrapStore(pausedAtItsEnd, both, quiet)).rejects.toMatchObject({ code: 'unavailable' });
  expect((await rewrapping.sealKeys()).map(({ id }) => id)).toEqual(['new', 'old']);
});
