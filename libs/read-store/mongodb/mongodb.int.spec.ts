import { startDouble } from '#mongodb/double';
import { MongoClient } from 'mongodb';
import { expect, test } from '@jest/globals';
import { allLanes, positionOf } from '#kernel';
import { describeLanes, describeReadStore } from '#read-store/contract';
import { openMongoReadStore, openMongoReadStoreReader } from '#read-store/mongodb';

const kinds = [
  { version: 7 },
  { version: 7, replicaSet: 'rs0' },
  { version: 8 },
  { version: 8, replicaSet: 'rs0' },
] as const;
for (const kind of kinds) {
  const { version, replicaSet } = { replicaSet: undefined, ...kind };
  describeReadStore(`MongoDB ${version} (double, replica set: ${replicaSet})`, async () => {
    const server = await startDouble(kind);
    const open = () => openMongoReadStore({ url: server.url, database: 'lode' });
    return {
      open,
      reopen: async (store) => {
        await store.close();
        await server.stop();
        await server.start();
        return open();
      },
      cleanUp: () => server.stop(),
    };
  });
}

for (const version of [7, 8] as const)
  describeLanes(`MongoDB ${version} (double)`, async () => {
    const server = await startDouble({ version });
    const at = { url: server.url, database: 'lode' };
    return {
      open: (lanes) => openMongoReadStore({ ...at, lanes }),
      openReader: () => openMongoReadStoreReader(at),
      cleanUp: () => server.stop(),
    };
  });

test('builds of before there were lanes are gone on with, from where they stood (double)', async () => {
  const server = await startDouble();
  const at = { url: server.url, database: 'lode' };
  const first = await openMongoReadStore(at);
  const build = await first.begin({ name: 'notes', version: 1, indexes: [] }, { bulk: false });
  const checkpoint = { position: positionOf(7), ordinal: 3 };
  await first.write([{ build, checkpoint, put: [{ id: 'a', position: positionOf(7) }], remove: [] }]);
  await first.activate(build);
  await first.close();
  const client = new MongoClient(server.url);
  const catalog = client.db('lode').collection<{ _id: string }>('read-models');
  const found = await catalog.findOne({ _id: 'catalog' });
  const { lanes: _, shares: _shares, builds, ...rest } = found as unknown as Record<string, object>;
  const key = `n${build.number}`;
  const { at: places, ...entry } = (builds as Record<string, { at: Record<string, object> }>)[key] ?? {
    at: {},
  };
  const former = { ...rest, format: 1, builds: { [key]: { ...entry, ...places['s1'] } } };
  await catalog.replaceOne({ _id: 'catalog' }, former);
  await client.close();

  const reader = await openMongoReadStoreReader(at);
  expect(await reader.checkpoint('notes')).toEqual(checkpoint);
  const store = await openMongoReadStore({ ...at, lanes: allLanes(16) });
  expect(await store.builds()).toEqual([
    expect.objectContaining({ build, state: 'active', checkpoint, lanes: Array(16).fill(checkpoint) }),
  ]);
  await store.write([{ build, put: [{ id: 'b', position: positionOf(8) }], remove: [] }]);
  expect(await reader.getMany('notes', ['a', 'b'])).toHaveLength(2);
  await store.close();
  await reader.close();
  await server.stop();
});
