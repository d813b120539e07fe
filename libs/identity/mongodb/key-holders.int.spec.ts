import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { KEYS_HELD_MS, type KeyHolder } from '#identity';
import { openMongoIdentityStore } from '#identity/mongodb';
import { startDouble, type MongoDbDouble } from '#mongodb/double';

type Store = Awaited<ReturnType<typeof openMongoIdentityStore>>;

let server: MongoDbDouble;
let now: number;
let stores: Store[];
beforeEach(async () => {
  now = 1_000_000;
  server = await startDouble({ replicaSet: 'rs0', clock: () => now });
  const open = () => openMongoIdentityStore({ url: server.url, database: 'lode' });
  stores = [await open(), await open()];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await server.stop();
});

const holder = (name: string, ...keys: readonly string[]): KeyHolder => ({
  name,
  where: `$where ${name} is`,
  keys,
  rewraps: keys.length > 1,
});

test('who is at work is seen by all others until it lets go, or says nothing for long (double)', async () => {
  const [one, two] = stores.map(({ keyHolders }) => keyHolders);
  await one?.hold(holder('a', 'old'));
  await two?.hold(holder('b', '$new', 'old'));
  expect(await one?.others('a')).toEqual([holder('b', '$new', 'old')]);
  expect(await two?.others('b')).toEqual([holder('a', 'old')]);
  now += KEYS_HELD_MS - 1;
  await two?.hold(holder('b'));
  expect(await two?.others('b')).toEqual([holder('a', 'old')]);
  now += 1;
  expect(await two?.others('b')).toEqual([]);
  expect(await one?.others('a')).toEqual([holder('b')]);
  await two?.letGo('b');
  expect(await one?.others('a')).toEqual([]);
});

test('whose time is over can’t say it once more: others may have come (double)', async () => {
  const [one, two] = stores.map(({ keyHolders }) => keyHolders);
  await one?.hold(holder('a', 'old'));
  now += KEYS_HELD_MS - 1;
  expect(await one?.prolong('a')).toBe(true);
  now += KEYS_HELD_MS - 1;
  expect(await two?.others('b')).toEqual([holder('a', 'old')]);
  now += 1;
  expect(await one?.prolong('a')).toBe(false);
  expect(await two?.others('b')).toEqual([]);
  expect(await one?.prolong('a')).toBe(false);
});

test('who can’t say it is told so, and does not begin (double)', async () => {
  server.failNext('update', 'disk-full');
  await expect(stores[0]?.keyHolders.hold(holder('a', 'old'))).rejects.toMatchObject({
    code: 'storage_full',
  });
  expect(await stores[1]?.keyHolders.others('b')).toEqual([]);
});
