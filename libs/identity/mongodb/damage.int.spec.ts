import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { rewrapStore, type DamagedRow, type IdentityStore } from '#identity';
import { openMongoIdentityRows, openMongoIdentityStore, openMongoPersonKeys } from '#identity/mongodb';
import { systemRandom } from '#kernel';
import { startDouble, type MongoDbDouble } from '#mongodb/double';

let server: MongoDbDouble;
let store: IdentityStore;
let told: DamagedRow[];
beforeEach(async () => {
  server = await startDouble();
  store = await openMongoIdentityStore({ url: server.url, database: 'lode' });
  told = [];
  store.watchDamage((row) => told.push(row));
  for (const [n, userId] of ['ann', 'bob'].entries()) {
    await store.reserve({
      userId,
      email: `${userId}@example.org`,
      accountNumber: `000000000${n}`,
      passwordHash: `hash of ${userId}`,
      role: 'user',
      reservedAt: 3_000_000_000 + n,
      owner: '',
      personKey: new Uint8Array(32).fill(n),
    });
    await store.activate(userId, 3_000_000_000 + n);
    await store.putPin(userId, `pin of ${userId}`);
  }
});
afterEach(async () => {
  await store.close();
  await server.stop();
});

/** Changes the stored document of Bob beside the store. */
async function change(update: Readonly<Record<string, object>>): Promise<void> {
  const client = await MongoClient.connect(server.url);
  await client.db('lode').collection<{ _id: string }>('identity.people').updateOne({ _id: 'bob' }, update);
  await client.close();
}

const refused = expect.objectContaining({ code: 'storage_failed' });

test.each([
  ['hash', { 'credential.passwordHash': 'another' }],
  ['role', { 'credential.role': 'admin' }],
  ['key', { key: Buffer.alloc(32, 9).toString('base64') }],
  ['pin', { 'pin.tries': -9 }],
  ['era', { era: 7 }],
  ['token of its write', { write: 'another' }],
  ['checksum', { sum: 1 }],
])('a person whose %s is another is refused by whatever needs it (double)', async (_, $set) => {
  await change({ $set });
  const asked = [
    () => store.credentialOf('bob'),
    () => store.credentialByEmail('bob@example.org'),
    () => store.personKey('bob'),
    () => store.takePinTry('bob', 5),
    () => store.suspend('bob'),
    () => store.changePassword('bob', 'hash of bob', 'new'),
    () => store.destroyPersonKey('bob', 1),
    () => store.people('', 10),
  ];
  for (const ask of asked) await expect(ask()).rejects.toEqual(refused);
  expect(told).toEqual([{ table: 'identity.people', id: 'bob' }]);
  expect(await store.credentialOf('ann')).toMatchObject({ userId: 'ann' });
  expect((await store.checkRows(undefined, 1)).damaged).toEqual([]);
  expect((await store.checkRows(undefined, 10)).damaged).toEqual(told);

  const reader = await openMongoPersonKeys({ url: server.url, database: 'lode' });
  await reader.load(['ann', 'bob']);
  expect(() => reader.decrypt('bob', 'v1.x.y')).toThrow(/is damaged/);
  expect(() => reader.decrypt('ann', 'v1.x.y')).toThrow(/was changed or belongs to somebody else/);
  await reader.close();
});

test('a document of before gets its checksum by the look at all of them (double)', async () => {
  await change({ $unset: { sum: '' } });
  expect(await store.credentialOf('bob')).toMatchObject({ userId: 'bob' });
  expect(await store.checkRows(undefined, 10)).toMatchObject({ rows: 2, damaged: [] });
  expect(await store.credentialOf('bob')).toMatchObject({ userId: 'bob' });
  await change({ $set: { 'credential.role': 'admin' } });
  await expect(store.credentialOf('bob')).rejects.toEqual(refused);
});

test('a look that completes nothing leaves a document of before without one (double)', async () => {
  await change({ $unset: { sum: '' } });
  const rows = await openMongoIdentityRows({ url: server.url, database: 'lode', completes: false });
  expect(await rows.checkRows(undefined, 10)).toMatchObject({ rows: 2, damaged: [] });
  await rows.close();
  await change({ $set: { 'credential.role': 'admin' } });
  expect(await store.credentialOf('bob')).toMatchObject({ role: 'admin' });
});

test('a person who is damaged is left when all are sealed anew, and the keys of before stay known (double)', async () => {
  const ring = [{ id: 'first', bytes: new Uint8Array(32) }];
  const how = { random: systemRandom, progress: () => undefined };
  for (const id of ['', 'first']) await store.putSealKey({ id, proof: '' });
  await change({ $set: { 'credential.role': 'admin' } });
  const left = { left: 1, why: [expect.stringContaining('bob (identity.people) is damaged')] };
  expect(await rewrapStore(store, ring, how)).toEqual({ changed: 1, ...left });
  expect((await store.credentialOf('ann'))?.passwordHash).toMatch(/^k1\.first\./);
  expect((await store.sealKeys()).map(({ id }) => id)).toEqual(['', 'first']);
  await change({ $set: { 'credential.role': 'user' } });
  expect(await rewrapStore(store, ring, how)).toEqual({ changed: 1, left: 0, why: [] });
  expect((await store.sealKeys()).map(({ id }) => id)).toEqual(['first']);
});
