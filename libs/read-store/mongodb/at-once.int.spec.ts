import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEngineError, positionOf, sortablePosition } from '#kernel';
import { spawnDouble, startDouble, type Fault, type MongoDbDouble } from '#mongodb/double';
import { idIndex, type Batch, type Build, type Collection, type Document, type ReadStore } from '#read-store';
import { openMongoReadStore } from '#read-store/mongodb';

const things: Collection = {
  name: 'things',
  version: 1,
  indexes: [{ name: 'kind', equals: ['kind'], order: ['created'] }],
};
const others: Collection = { ...things, name: 'others' };
const everything = { index: idIndex, equals: {}, direction: 'ascending', limit: 1_000 } as const;

function thing(n: number, position = n, kind = 'plain'): Document {
  return { created: String(n).padStart(6, '0'), id: `t${n}`, kind, position: positionOf(position) };
}

function batchOf(
  build: Build,
  position: number,
  put: readonly Document[],
  remove: readonly string[] = [],
): Batch {
  return { build, checkpoint: { position: positionOf(position), ordinal: position }, put, remove };
}

async function contents(store: ReadStore, collection = 'things'): Promise<readonly string[]> {
  const found = await store.list(collection, everything);
  return found.map(({ id, position, kind }) => `${id} ${position} ${String(kind)}`);
}

/** Tries again while the connections are found out that were cut. */
async function onceThere<Done>(work: () => Promise<Done>): Promise<Done> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isEngineError(error)) throw error;
    }
  }
}

describe('documents and checkpoints in one write, on MongoDB 8 (double)', () => {
  let server: MongoDbDouble;
  let store: ReadStore;
  let build: Build;
  let other: Build;
  const open = () => openMongoReadStore({ url: server.url, database: 'lode' });
  const position = async (collection = 'things') => (await store.checkpoint(collection)).position;

  beforeEach(async () => {
    server = await startDouble({ replicaSet: 'rs0', version: 8 });
    store = await open();
    build = await store.begin(things, { bulk: false });
    other = await store.begin(others, { bulk: false });
    await store.write([batchOf(build, 10, [thing(1), thing(2), thing(3)]), batchOf(other, 10, [thing(1)])]);
    await store.activate(build);
    await store.activate(other);
    server.resetCounts();
  });
  afterEach(async () => {
    await store.close();
    await server.stop();
  });

  test('are one round trip, of one build and of several', async () => {
    const put = Array.from({ length: 1_000 }, (_, n) => thing(n, n + 100));
    await store.write([batchOf(build, 2_000, put)]);
    expect(server.commands()).toEqual(new Map([['bulkWrite', 1]]));
    expect(server.statements()).toBe(1_001);
    server.resetCounts();
    await store.write([batchOf(build, 3_000, [thing(4, 2_500)]), batchOf(other, 20, [thing(5)], ['t1'])]);
    expect(server.commands()).toEqual(new Map([['bulkWrite', 1]]));
    expect(server.statements()).toBe(4);
    expect(await contents(store, 'others')).toEqual(['t5 5 plain']);
    expect([await position(), await position('others')]).toEqual(['3000', '20']);
  });

  test.each([
    ['with them, in one round trip', 'done', [['bulkWrite', 1]]],
    [
      'before them, where the server can do no more',
      'not-supported',
      [
        ['bulkWrite', 1],
        ['update', 3],
      ],
    ],
  ] as const)('documents without a checkpoint of theirs go %s', async (_, how, commands) => {
    if (how === 'not-supported') server.failNext('bulkWrite', how);
    const alone = { build: other, put: [thing(6)], remove: ['t1'] };
    await store.write([alone, batchOf(build, 20, [thing(4)])]);
    expect([...server.commands()]).toEqual(commands);
    expect(await contents(store, 'others')).toEqual(['t6 6 plain']);
    expect(await contents(store)).toEqual([1, 2, 3, 4].map((n) => `t${n} ${n} plain`));
    expect([await position(), await position('others')]).toEqual(['20', '10']);
  });

  test('documents without a checkpoint of theirs keep those that are there from later on, and those after them are written', async () => {
    const alone = { build: other, put: [thing(1, 0, 'older'), thing(6)], remove: [] };
    await store.write([alone, batchOf(build, 20, [thing(4)])]);
    expect(server.commands().get('bulkWrite')).toBe(1);
    expect(await contents(store, 'others')).toEqual(['t1 1 plain', 't6 6 plain']);
    expect(await contents(store)).toEqual([1, 2, 3, 4].map((n) => `t${n} ${n} plain`));
    expect(await position()).toBe('20');
  });

  test('documents without a checkpoint of theirs that were refused keep those after them from being written', async () => {
    server.failNext('bulkWrite', 'not-supported');
    server.failNext('update', 'not-primary');
    const alone = { build: other, put: [thing(6)], remove: [] };
    const batch = batchOf(build, 20, [thing(4)]);
    await expect(store.write([alone, batch])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await contents(store)).toEqual([1, 2, 3].map((n) => `t${n} ${n} plain`));
    expect(await position()).toBe('10');
    await store.write([alone, batch]);
    expect(await contents(store, 'others')).toEqual(['t1 1 plain', 't6 6 plain']);
    expect(await position()).toBe('20');
  });

  test('of which there are too many for one command go as on an older server', async () => {
    const long = 'ü'.repeat(400_000);
    const put = Array.from({ length: 40 }, (_, n) => ({ ...thing(n + 100, 20), text: long }));
    const patient = await openMongoReadStore({ url: server.url, database: 'lode' });
    server.resetCounts();
    await patient.write([batchOf(build, 20, put)]);
    expect(server.commands().has('bulkWrite')).toBe(false);
    expect((await patient.checkpoint('things')).position).toBe('20');
    await patient.close();
  });

  test.each<readonly [Fault, code: string, happened: boolean]>([
    ['not-primary', 'unavailable', false],
    ['write-concern', 'unknown_outcome', true],
    ['cut-before', 'unknown_outcome', false],
    ['cut-after', 'unknown_outcome', true],
    ['timeout-before', 'unknown_outcome', false],
    ['timeout-after', 'unknown_outcome', true],
    ['disk-full', 'storage_full', false],
  ])('with the fault %s it says %s, and the same again is written once', async (fault, code, happened) => {
    const batch = batchOf(build, 20, [thing(2, 15, 'new'), thing(4, 16)], ['t1']);
    server.failNext('bulkWrite', fault);
    await expect(store.write([batch])).rejects.toMatchObject({ code });
    expect(server.faultsLeft()).toBe(0);
    expect(await position()).toBe(happened ? '20' : '10');
    const after = ['t2 15 new', 't3 3 plain', 't4 16 plain'];
    if (happened) expect(await contents(store)).toEqual(after);
    await store.write([batch]);
    await store.write([batchOf(build, 30, [thing(5, 25)])]);
    expect(await position()).toBe('30');
    expect(await contents(store)).toEqual([...after, 't5 25 plain']);
  });

  test('go on in two writes where the server has the features of an older version', async () => {
    server.failNext('bulkWrite', 'not-supported');
    await store.write([batchOf(build, 20, [thing(4)])]);
    await store.write([batchOf(build, 30, [thing(5)])]);
    expect([...server.commands()]).toEqual([
      ['bulkWrite', 1],
      ['update', 4],
    ]);
    expect(await contents(store)).toEqual([1, 2, 3, 4, 5].map((n) => `t${n} ${n} plain`));
    expect(await position()).toBe('30');
  });

  test('what no majority had is written again when the primary comes back without it', async () => {
    const batch = batchOf(build, 20, [thing(4)], ['t1']);
    server.loseMajority();
    await expect(store.write([batch])).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(await position()).toBe('10');
    server.comeBack('without the last writes');
    await onceThere(() => store.write([batch]));
    expect(await contents(store)).toEqual(['t2 2 plain', 't3 3 plain', 't4 4 plain']);
    expect(await position()).toBe('20');
  });

  test('an overtaken writer is refused by the first document, and moves no checkpoint', async () => {
    const newer = await open();
    const before = [await newer.builds(), await contents(newer)];
    const stale = [batchOf(build, 20, [thing(4), thing(1, 20, 'stale')], ['t2']), batchOf(other, 20, [])];
    await expect(store.write(stale)).rejects.toMatchObject({ code: 'conflict' });
    await expect(store.write(stale)).rejects.toMatchObject({ code: 'conflict' });
    expect([await newer.builds(), await contents(newer)]).toEqual(before);
    await newer.close();
  });

  /** Changes the catalogue as nobody does. */
  const alter = async (update: Record<string, unknown>) => {
    const client = new MongoClient(server.url, { retryWrites: false });
    await client.db('lode').collection('read-models').updateOne({}, update);
    await client.close();
  };

  test('a checkpoint that is beyond already stays, and those of other builds move', async () => {
    const path = `builds.n${build.number}.at.s1`;
    const place = sortablePosition(positionOf(50));
    await alter({ $set: { [`${path}.position`]: '50', [`${path}.place`]: place } });
    await store.write([batchOf(build, 20, [thing(4)]), batchOf(other, 20, [thing(4)])]);
    expect([await position(), await position('others')]).toEqual(['50', '20']);
    expect(await contents(store, 'others')).toEqual(['t1 1 plain', 't4 4 plain']);
  });

  test('when another has become the writer between the documents and the checkpoint, that is not moved', async () => {
    const place = { position: '10', place: sortablePosition(positionOf(10)), ordinal: 4 };
    await alter({
      $unset: { 'shares.s1': '' },
      $set: { 'shares.s99': { epoch: 99, lanes: [0] }, [`builds.n${build.number}.at.s99`]: place },
    });
    await expect(store.write([batchOf(build, 20, [thing(4)])])).rejects.toMatchObject({ code: 'conflict' });
    expect(await position()).toBe('10');
  });
});

describe('documents and checkpoints in one write, on MongoDB 8 (double) alone on its machine', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lode-mongodb-at-once-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('after a kill between any two of its statements have every document before the checkpoint, and a batch from before them leaves the later ones', async () => {
    for (let writes = 1; writes <= 6; writes++) {
      const double = await spawnDouble(join(folder, `${writes}.bson`), undefined, 8);
      const open = () => openMongoReadStore({ url: double.url(), database: 'lode', selectMs: 5_000 });
      const dying = await open();
      const build = await dying.begin(things, { bulk: false });
      const other = await dying.begin(others, { bulk: false });
      await dying.activate(build);
      await dying.activate(other);
      await double.dieAfter(writes);
      const far = [
        batchOf(build, 50, [thing(1, 41, 'far'), thing(2, 42, 'far'), thing(3, 43, 'far')]),
        batchOf(other, 50, [thing(1, 44, 'far'), thing(2, 45, 'far')]),
      ];
      await expect(dying.write(far)).rejects.toMatchObject({ code: 'unknown_outcome' });
      await double.died();
      await dying.close();
      await double.revive();
      const store = await open();
      const all = async () => [...(await contents(store)), ...(await contents(store, 'others'))];
      const expected = ['t1 41 far', 't2 42 far', 't3 43 far', 't1 44 far', 't2 45 far'];
      // What is there is what was done, in its order; the last statement is the checkpoints'.
      expect(await all()).toEqual(expected.slice(0, writes));
      const isMoved = writes > expected.length;
      for (const name of ['things', 'others'])
        expect((await store.checkpoint(name)).position).toBe(isMoved ? '50' : '0');
      await store.write([batchOf(build, 20, [thing(1, 20, 'near'), thing(9, 20, 'near')])]);
      expect(await contents(store)).toContain('t1 41 far');
      expect((await contents(store)).includes('t9 20 near')).toBe(!isMoved);
      await store.write(far);
      expect((await all()).filter((one) => one.endsWith('far'))).toEqual(expected);
      expect((await store.checkpoint('others')).position).toBe('50');
      await store.close();
      await double.kill();
    }
  });

  test('are two writes where there are shards, whose journals have no common order', async () => {
    const router = await startDouble({ version: 8, isRouter: true });
    const store = await openMongoReadStore({ url: router.url, database: 'lode' });
    const build = await store.begin(things, { bulk: false });
    router.resetCounts();
    await store.write([batchOf(build, 10, [thing(1)])]);
    expect([...router.commands()]).toEqual([['update', 2]]);
    await store.close();
    await router.stop();
  });

  test('go on in two writes when the server becomes an older one', async () => {
    const file = join(folder, 'downgraded.bson');
    const newer = await startDouble({ file, version: 8 });
    const store = await openMongoReadStore({ url: newer.url, database: 'lode', selectMs: 5_000 });
    const build = await store.begin(things, { bulk: false });
    await store.activate(build);
    await store.write([batchOf(build, 10, [thing(1)])]);
    expect(newer.commands().get('bulkWrite')).toBe(1);
    await newer.stop();
    const older = await startDouble({ file, port: newer.port, version: 7 });
    await onceThere(() => store.write([batchOf(build, 20, [thing(2)])]));
    await store.write([batchOf(build, 30, [thing(3)])]);
    expect(older.commands().get('bulkWrite')).toBe(1);
    expect(await contents(store)).toEqual(['t1 1 plain', 't2 2 plain', 't3 3 plain']);
    expect((await store.checkpoint('things')).position).toBe('30');
    await store.close();
    await older.stop();
  });
});
