import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient, MongoServerError, type Collection, type MongoClientOptions } from 'mongodb';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnDouble, startDouble, type DoubleProcess, type MongoDbDouble } from './index.js';

type Thing = {
  _id: string;
  n?: number;
  kind?: string;
  list?: number[];
  deep?: { er: string };
  other?: boolean;
  mail?: string;
  slot?: number;
  state?: string;
  epoch?: number;
};

const usual: MongoClientOptions = { retryWrites: false, serverSelectionTimeoutMS: 5_000 };

describe.each([undefined, 'rs0'])('the double of MongoDB (replica set: %s)', (replicaSet) => {
  let double: MongoDbDouble;
  let client: MongoClient;
  let things: Collection<Thing>;

  beforeEach(async () => {
    double = await startDouble({ ...(replicaSet === undefined ? {} : { replicaSet }) });
    client = new MongoClient(double.url, usual);
    things = client.db('test').collection<Thing>('things');
  });
  afterEach(async () => {
    await client.close();
    await double.stop();
  });

  const numbers = (count: number): Thing[] =>
    Array.from({ length: count }, (_, n) => ({
      _id: `t${String(n).padStart(4, '0')}`,
      n,
      kind: 'ab'.charAt(n % 2),
    }));

  test('writes documents and gives them back, a batch at a time', async () => {
    expect((await things.insertMany(numbers(500))).insertedCount).toBe(500);
    expect(await things.find({}, { batchSize: 60 }).toArray()).toEqual(numbers(500));
    expect(double.commands().get('getMore')).toBe(8);
    expect(double.cursors()).toBe(0);
    const page = things.find({ kind: 'b', n: { $gte: 100 } }, { sort: { n: -1 }, skip: 2, limit: 3 });
    expect((await page.project({ _id: 0, n: 1 }).toArray()).map(({ n }) => Number(n))).toEqual([
      495, 493, 491,
    ]);
    const open = things.find({}, { batchSize: 2 });
    await open.next();
    expect(double.cursors()).toBe(1);
    await open.close();
    expect(double.cursors()).toBe(0);
    expect(await things.countDocuments({ kind: 'a' })).toBe(250);
    expect(await things.estimatedDocumentCount()).toBe(500);
    expect(await things.distinct('kind')).toEqual(['a', 'b']);
    const sums = things.aggregate([{ $group: { _id: '$kind', sum: { $sum: '$n' } } }, { $sort: { _id: 1 } }]);
    expect(await sums.toArray()).toEqual([
      { _id: 'a', sum: 62_250 },
      { _id: 'b', sum: 62_500 },
    ]);
  });

  test('updates documents of several collections in one command, from version 8 on', async () => {
    await things.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 2 },
    ]);
    const replaceOne = (collection: string, _id: string, n: number) =>
      ({
        namespace: `test.${collection}`,
        name: 'replaceOne',
        filter: { _id, n: { $lte: n } },
        replacement: { n },
        upsert: true,
      }) as const;
    const models = [replaceOne('things', 'a', 5), replaceOne('others', 'a', 7), replaceOne('things', 'b', 1)];
    double.resetCounts();
    expect(
      await client.bulkWrite<Record<string, Thing>>([...models.slice(0, 2), replaceOne('things', 'c', 3)]),
    ).toMatchObject({
      matchedCount: 1,
      modifiedCount: 1,
      upsertedCount: 2,
    });
    expect([...double.commands()]).toEqual([['bulkWrite', 1]]);
    expect(double.statements()).toBe(3);
    // In their order up to the first that fails, or all but those that fail.
    for (const ordered of [true, false]) {
      const last = replaceOne('others', ordered ? 'after' : 'beside', 1);
      const failing = client.bulkWrite<Record<string, Thing>>([...models, last], { ordered });
      await expect(failing).rejects.toMatchObject({
        writeErrors: new Map([[2, expect.objectContaining({ code: 11_000 })]]),
        partialResult: { matchedCount: 2, upsertedCount: ordered ? 0 : 1 },
      });
    }
    const others = client.db('test').collection<Thing>('others');
    expect((await others.find().toArray()).map(({ _id }) => _id)).toEqual(['a', 'beside']);
    expect(await things.find().toArray()).toEqual([
      { _id: 'a', n: 5 },
      { _id: 'b', n: 2 },
      { _id: 'c', n: 3 },
    ]);
    const older = await startDouble({ version: 7 });
    const there = new MongoClient(older.url, usual);
    const command = { bulkWrite: 1, ops: [], nsInfo: [], errorsOnly: true };
    await expect(there.db('admin').command(command)).rejects.toMatchObject({ code: 59 });
    await there.close();
    await older.stop();
  });

  test('updates by operators, by a pipeline, and by another document in its place', async () => {
    await things.insertOne({ _id: 'a', n: 1, list: [1] });
    expect(await things.updateOne({ _id: 'a' }, { $inc: { n: 4 }, $push: { list: 2 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 1,
    });
    await things.updateOne({ _id: 'a' }, { $set: { 'deep.er': 'x' }, $unset: { list: 1 } });
    await things.updateOne({ _id: 'a' }, [{ $set: { twice: { $multiply: ['$n', 2] } } }]);
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 5, deep: { er: 'x' }, twice: 10 });
    expect(await things.updateOne({ _id: 'a' }, { $set: { n: 5 } })).toMatchObject({ modifiedCount: 0 });
    await things.replaceOne({ _id: 'a' }, { other: true });
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', other: true });
    await expect(things.updateOne({ _id: 'a' }, { $set: { _id: 'b' } })).rejects.toMatchObject({ code: 66 });
    const made = await things.updateOne(
      { _id: 'new', kind: 'k' },
      { $setOnInsert: { n: 7 } },
      { upsert: true },
    );
    expect(made.upsertedId).toBe('new');
    expect(await things.findOne({ _id: 'new' })).toEqual({ _id: 'new', kind: 'k', n: 7 });
    expect(await things.deleteMany({ _id: { $in: ['a', 'new'] } })).toMatchObject({ deletedCount: 2 });
  });

  test('has one clock, which a test may set', async () => {
    let now = 0;
    const set = await startDouble({ clock: () => (now += 1) });
    const other = new MongoClient(set.url, usual);
    const times = other
      .db('test')
      .collection<{ _id: string; at?: Date; is?: string; past?: boolean }>('times');
    await times.insertMany([{ _id: 'a' }, { _id: 'b', at: new Date(9) }]);
    const [before] = [now];
    const stamp = {
      at: { $add: ['$$NOW', 10] },
      is: { $literal: '$$NOW' },
      past: { $gt: ['$$NOW', new Date(0)] },
    };
    const isBehind = { $or: [{ _id: 'a' }, { $expr: { $gt: ['$$NOW', '$at'] } }] };
    await times.updateMany(isBehind, [{ $set: stamp }]);
    expect(await times.findOne({ _id: 'a' })).toEqual({
      _id: 'a',
      at: new Date(before + 11),
      is: '$$NOW',
      past: true,
    });
    expect(await times.findOne({ _id: 'b' })).toEqual({ _id: 'b', at: new Date(9) });
    const [first] = await times.aggregate([{ $limit: 1 }, { $project: { _id: 0, now: '$$NOW' } }]).toArray();
    expect(first).toEqual({ now: new Date(now) });
    await times.updateOne({ _id: 'a' }, { $set: { is: '$$NOW' } });
    expect(await times.countDocuments({ is: '$$NOW' })).toBe(1);
    await other.close();
    await set.stop();
  });

  test('finds and modifies in one step', async () => {
    const next = () =>
      things.findOneAndUpdate(
        { _id: 'count' },
        { $inc: { n: 1 } },
        { upsert: true, returnDocument: 'after' },
      );
    const counted = await Promise.all([next(), next(), next()]);
    expect(counted.map((one) => one?.n).sort()).toEqual([1, 2, 3]);
    expect(await things.findOneAndDelete({ _id: 'count' })).toEqual({ _id: 'count', n: 3 });
    expect(await things.findOneAndUpdate({ _id: 'count' }, { $set: { n: 1 } })).toBeNull();
  });

  test('goes on after an error in an unordered bulk, and stops in an ordered one', async () => {
    await things.insertOne({ _id: 'b' });
    const three = ['a', 'b', 'c'].map((_id) => ({ _id }));
    await expect(things.insertMany(three, { ordered: false })).rejects.toMatchObject({
      result: { insertedCount: 2 },
      writeErrors: [{ index: 1, code: 11000 }],
    });
    await things.deleteMany({ _id: { $ne: 'b' } });
    await expect(things.insertMany(three)).rejects.toMatchObject({ result: { insertedCount: 1 } });
    await expect(things.insertOne({ _id: 'b' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { _id: 1 },
      keyValue: { _id: 'b' },
    });
  });

  test('keeps unique indexes: sparse, partial, and when documents change', async () => {
    await things.createIndex({ mail: 1 }, { unique: true, sparse: true }, {});
    const isOpen = { partialFilterExpression: { state: 'open' } };
    await things.createIndex({ slot: 1 }, { name: 'open', unique: true, ...isOpen }, {});
    await things.createIndex({ at: 1 }, { expireAfterSeconds: 60 }, {});
    await things.insertMany([{ _id: 'a', mail: 'm' }, { _id: 'b' }, { _id: 'c' }]);
    await expect(things.updateOne({ _id: 'b' }, { $set: { mail: 'm' } })).rejects.toMatchObject({
      code: 11000,
      keyValue: { mail: 'm' },
    });
    await things.updateOne({ _id: 'a' }, { $unset: { mail: 1 } });
    await things.updateOne({ _id: 'b' }, { $set: { mail: 'm', slot: 1, state: 'open' } });
    await things.updateOne({ _id: 'c' }, { $set: { slot: 1, state: 'shut' } });
    await expect(things.updateOne({ _id: 'c' }, { $set: { state: 'open' } })).rejects.toMatchObject({
      code: 11000,
    });
    expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_', 'mail_1', 'open', 'at_1']);
    await expect(things.createIndex({ slot: 1 }, { name: 'open' }, {})).rejects.toMatchObject({ code: 86 });
    await expect(things.find({}, { hint: 'no' }).toArray()).rejects.toMatchObject({ code: 2 });
  });

  test('keeps an index on arrays unique among documents, element by element', async () => {
    await things.createIndex({ list: 1 }, { unique: true, sparse: true }, {});
    await things.insertMany([{ _id: 'a', list: [1, 2, 2] }, { _id: 'b', list: [3] }, { _id: 'c' }]);
    await expect(things.updateOne({ _id: 'b' }, { $push: { list: 2 } })).rejects.toMatchObject({
      code: 11000,
      keyValue: { list: 2 },
    });
    await things.updateOne({ _id: 'a' }, { $pull: { list: 2 } });
    await things.updateOne({ _id: 'b' }, { $push: { list: 2 } });
    await things.deleteOne({ _id: 'a' });
    await things.insertOne({ _id: 'd', list: [1] });
    await expect(things.insertOne({ _id: 'e', list: [5, 3] })).rejects.toMatchObject({ code: 11000 });
  });

  test('reads within the bounds of an index', async () => {
    await things.createIndex({ kind: 1, n: 1 }, { name: 'kind' }, {});
    await things.insertMany(numbers(20));
    const [min, max] = [
      { kind: 'a', n: 4 },
      { kind: 'a', n: 10 },
    ];
    const sort = { kind: -1, n: -1 } as const;
    const found = await things.find({}, { hint: 'kind', min, max, sort }).toArray();
    expect(found.map(({ n }) => n)).toEqual([8, 6, 4]);
    await expect(things.find({}, { min, max }).toArray()).rejects.toThrow(/hint/);
    const nothing = things.find({}, { hint: 'kind', min: max, max: min }).toArray();
    await expect(nothing).rejects.toMatchObject({ code: 51_175 });
  });

  test('knows its collections, and refuses what their validators refuse', async () => {
    const db = client.db('test');
    await db.createCollection('strict', { validator: { epoch: { $gte: 2 } } });
    await expect(db.createCollection('strict')).rejects.toMatchObject({ code: 48 });
    const strict = db.collection<Thing>('strict');
    await strict.insertOne({ _id: 'a', epoch: 2 });
    await db.command({ collMod: 'strict', validator: { epoch: { $gte: 3 } } });
    await expect(strict.insertOne({ _id: 'b', epoch: 2 })).rejects.toMatchObject({ code: 121 });
    await expect(strict.updateOne({ _id: 'a' }, { $set: { n: 1 } })).rejects.toMatchObject({ code: 121 });
    await strict.rename('renamed');
    await db.createCollection('target');
    await expect(db.renameCollection('renamed', 'target')).rejects.toMatchObject({ code: 48 });
    await db.renameCollection('renamed', 'target', { dropTarget: true });
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['target']);
    await db.dropCollection('target');
    expect(await db.listCollections().toArray()).toEqual([]);
  });

  test('refuses by name what it does not do', async () => {
    const db = client.db('test');
    await expect(db.command({ explain: { find: 'things' } })).rejects.toMatchObject({
      code: 59,
      codeName: 'CommandNotFound',
      message: expect.stringContaining('explain'),
    });
    await expect(things.watch().tryNext()).rejects.toThrow(/\$changeStream/);
    const retrying = new MongoClient(double.url, { retryWrites: true });
    const write = retrying.db('test').collection<Thing>('things').insertOne({ _id: 'a' });
    if (replicaSet === undefined) await write;
    else await expect(write).rejects.toThrow(/retryable writes/);
    await retrying.close();
  });

  test('has the faults that it is told to have', async () => {
    const write = (_id: string) =>
      things.insertOne({ _id }, { writeConcern: { w: 'majority', journal: true } });
    double.failNext('insert', 'not-primary', 'cut-before', 'cut-after', 'write-concern', 'disk-full');
    await expect(write('a')).rejects.toMatchObject({ code: 10107 });
    await expect(write('b')).rejects.toThrow(/ECONNRESET|closed/);
    await expect(write('c')).rejects.toThrow(/ECONNRESET|closed/);
    await expect(write('d')).rejects.toMatchObject({ code: 64 });
    await expect(write('e')).rejects.toMatchObject({ code: 14031 });
    expect(double.faultsLeft()).toBe(0);
    expect((await things.find().toArray()).map(({ _id }) => _id)).toEqual(['c', 'd']);
    double.failNext('update', 'timeout-before', 'timeout-after');
    for (const n of [1, 2])
      await expect(things.updateOne({ _id: 'c' }, { $inc: { n } })).rejects.toThrow(/timed out/);
    expect(await things.findOne({ _id: 'c' })).toEqual({ _id: 'c', n: 2 });
  });

  test('comes back without what no majority had', async () => {
    const write = (_id: string) => things.insertOne({ _id }, { writeConcern: { w: 'majority' } });
    const ids = async (level: 'local' | 'majority') =>
      (await things.find({}, { readConcern: { level } }).toArray()).map(({ _id }) => _id);
    await write('a');
    double.loseMajority();
    await expect(write('b')).rejects.toBeInstanceOf(MongoServerError);
    expect(await ids('local')).toEqual(['a', 'b']);
    expect(await ids('majority')).toEqual(['a']);
    double.comeBack('without the last writes');
    expect(await ids('local').catch(() => ids('local'))).toEqual(['a']);
    await write('c');
    double.loseMajority();
    await expect(write('d')).rejects.toBeInstanceOf(MongoServerError);
    double.comeBack('with all');
    expect(await ids('majority').catch(() => ids('majority'))).toEqual(['a', 'c', 'd']);
  });
});

describe('the double of MongoDB in a process of its own', () => {
  let folder: string;
  let double: DoubleProcess;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-mongodb-'));
    double = await spawnDouble(join(folder, 'journal.bson'));
  });
  afterEach(async () => {
    await double.kill();
    rmSync(folder, { recursive: true });
  });

  test('comes back from a kill under load with all that it acknowledged', async () => {
    const acknowledged: string[] = [];
    for (const [round, deaths] of [7, 31, 100].entries()) {
      const client = new MongoClient(double.url(), usual);
      const things = client.db('test').collection<Thing>('things');
      await double.dieAfter(deaths);
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; ; n++) {
          const _id = `${round}/${writer}/${n}`;
          await things.insertOne({ _id });
          acknowledged.push(_id);
        }
      });
      await double.died();
      // Whoever still looks for the server is told that there will be none.
      await client.close();
      await Promise.allSettled(writers);
      await double.revive();
    }
    const client = new MongoClient(double.url(), usual);
    const there = await client.db('test').collection<Thing>('things').find().toArray();
    await client.close();
    expect(there.map(({ _id }) => _id)).toEqual(expect.arrayContaining(acknowledged));
    // The one that it died with was written, and nobody was told.
    expect(there.length).toBeGreaterThan(acknowledged.length);
    expect(there.length).toBe(7 + 31 + 100 - 1);
  });
});
