import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { positionOf } from '#kernel';
import { startDouble, type MongoDbDouble } from '#mongodb/double';
import { buildName, idIndex, type Build, type Collection, type Document, type ReadStore } from '#read-store';
import { openMongoReadStore } from '#read-store/mongodb';

const purses: Collection = {
  name: 'purses',
  version: 1,
  indexes: [{ name: 'owner', equals: ['owner'], order: ['created'] }],
};
const purse = (name: string, n: number): Document => ({
  amount: `1000.0${n}`,
  created: '2026',
  id: name,
  owner: `${name} herself`,
  position: positionOf(n),
});
const everything = { index: idIndex, equals: {}, direction: 'ascending', limit: 10 } as const;

let server: MongoDbDouble;
let store: ReadStore;
let build: Build;
beforeEach(async () => {
  server = await startDouble();
  store = await openMongoReadStore({ url: server.url, database: 'lode' });
  build = await store.begin(purses, { bulk: false });
  const put = [purse('ann', 1), purse('bob', 2), purse('eve', 3)];
  await store.write([{ build, checkpoint: { position: positionOf(3), ordinal: 3 }, put, remove: [] }]);
  await store.activate(build);
});
afterEach(async () => {
  await store.close();
  await server.stop();
});

/** Changes the stored document of Bob beside the store. */
async function change(update: Readonly<Record<string, object>>): Promise<void> {
  const client = await MongoClient.connect(server.url);
  const documents = client.db('lode').collection<{ _id: string }>(`read-models.${buildName(build)}`);
  await documents.updateOne({ _id: 'bob' }, update);
  await client.close();
}

const json = JSON.stringify({ ...purse('bob', 2), amount: '9000.02' });
const refusal = (ids: readonly string[]) =>
  expect.objectContaining({ code: 'storage_failed', details: { build: buildName(build), documents: ids } });

test.each([
  ['text', { json }],
  ['position', { pos: 'z' }],
  ['checksum', { sum: 1 }],
  ['list of what was folded late', { late: ['7'] }],
])('a document whose %s is another is refused by each way of reading it (double)', async (_, $set) => {
  await change({ $set });
  await expect(store.get('purses', 'bob')).rejects.toEqual(refusal(['bob']));
  await expect(store.getMany('purses', ['ann', 'bob'])).rejects.toEqual(refusal(['bob']));
  await expect(store.list('purses', everything)).rejects.toEqual(refusal(['bob']));
  await expect(store.read(build, ['eve', 'bob'])).rejects.toEqual(refusal(['bob']));
  expect(await store.getMany('purses', ['ann', 'eve'])).toEqual([purse('ann', 1), purse('eve', 3)]);
});

test('a document of before has no checksum, and is served whatever it says (double)', async () => {
  await change({ $set: { json }, $unset: { sum: '' } });
  expect(await store.get('purses', 'bob')).toMatchObject({ amount: '9000.02' });
});

test('a list never gives what an index has under a wrong name (double)', async () => {
  await change({ $set: { k_owner: 'ann herself' } });
  const ofAnn = { ...everything, index: 'owner', equals: { owner: 'ann herself' } };
  await expect(store.list('purses', ofAnn)).rejects.toEqual(refusal([]));
});
