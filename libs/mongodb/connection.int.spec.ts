import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { connectMongo, type MongoConnection } from '#mongodb';
import { opened } from '#kernel/testing';
import { startDouble, type MongoDbDouble } from '#mongodb/double';

/** How long it is worth waiting for a server that is not there, in milliseconds. */
const SOON = 250;

/** Gives up soon. */
const openHasty = ({ url }: MongoDbDouble) =>
  opened(() => connectMongo({ url, database: 'lode', selectMs: SOON }));

describe('a write to MongoDB (double) whose connection is lost', () => {
  let server: MongoDbDouble;
  let connection: MongoConnection;
  beforeEach(async () => {
    server = await startDouble({ replicaSet: 'rs0' });
    const url = `${server.url}&heartbeatFrequencyMS=100`;
    connection = await connectMongo({ url, database: 'lode' });
  });
  afterEach(async () => {
    await connection.close();
    await server.stop();
  });

  /** One that fails, with what it fails with. */
  const failing = (id: string) =>
    connection.write({ insert: 'things', documents: [{ _id: id }] }).then(
      () => undefined,
      (error: unknown) => error,
    );
  const arrived = async (count: number) => {
    while ((server.commands().get('insert') ?? 0) < count) await setImmediate();
  };
  const ids = async () => {
    for (;;) {
      try {
        return (await connection.find('things', {}, { sort: { _id: 1 } })).map(({ _id }) => _id);
      } catch {
        // The driver is still finding out that the server is there.
      }
    }
  };

  test('because the driver’s monitor hears nothing of the server may have happened', async () => {
    server.failNext('insert', 'silent-after');
    const writing = failing('a');
    await arrived(1);
    server.failNext('hello', 'timeout-after');
    expect(await writing).toMatchObject({
      code: 'unknown_outcome',
      cause: { name: 'PoolClearedOnNetworkError' },
    });
    expect(await ids()).toEqual(['a']);
  });

  test('while another is under way beside it may have happened, and so may that one', async () => {
    server.failNext('insert', 'silent-after', 'cut-after');
    const silent = failing('a');
    await arrived(1);
    expect(await failing('b')).toMatchObject({ code: 'unknown_outcome' });
    server.cut();
    expect(await silent).toMatchObject({ code: 'unknown_outcome' });
    expect(await ids()).toEqual(['a', 'b']);
  });

  test('because it is closed here may have happened', async () => {
    server.failNext('insert', 'silent-after');
    const writing = failing('a');
    await arrived(1);
    await connection.close();
    expect(await writing).toMatchObject({
      code: 'unknown_outcome',
      cause: { name: 'MongoClientClosedError' },
    });
    connection = await connectMongo({ url: server.url, database: 'lode' });
    expect(await ids()).toEqual(['a']);
  });

  test('with an answer that nobody understands may have happened, and a read is to be made again', async () => {
    server.failNext('insert', 'garbled-after');
    expect(await failing('a')).toMatchObject({ code: 'unknown_outcome' });
    server.failNext('find', 'garbled-after');
    await expect(connection.find('things', {}, {})).rejects.toMatchObject({ code: 'unavailable' });
    expect(await ids()).toEqual(['a']);
  });

  test('before it was sent did not happen', async () => {
    await connection.close();
    connection = await openHasty(server);
    await server.stop();
    // The first may have gone into a connection that nobody listens at any more.
    await failing('a');
    expect(await failing('a')).toMatchObject({ code: 'unavailable' });
    await server.start();
    expect(await ids()).toEqual([]);
  });
});

describe('what can’t be encoded for MongoDB (double)', () => {
  let server: MongoDbDouble;
  let connection: MongoConnection;
  beforeEach(async () => {
    server = await startDouble({ replicaSet: 'rs0' });
    connection = await connectMongo({ url: server.url, database: 'lode' });
  });
  afterEach(async () => {
    await connection.close();
    await server.stop();
  });

  const bad = { 'a\0b': 1 };
  const circle: Record<string, unknown> = {};
  circle['again'] = circle;

  test.each([
    ['a name with a zero', bad],
    ['a circle', circle],
  ])('such as %s is no outage: nothing of it was sent', async (_, document) => {
    const notEncoded = { code: 'internal', message: expect.stringContaining('cannot be encoded') };
    const insert = { insert: 'things', documents: [{ _id: 'a', document }] };
    await expect(connection.write(insert)).rejects.toMatchObject(notEncoded);
    const updates = [{ q: { _id: 'a' }, u: { $set: { document } }, upsert: true }];
    await expect(connection.updateInOrder([{ collection: 'things', updates }])).rejects.toMatchObject(
      notEncoded,
    );
    await expect(connection.find('things', { document }, {})).rejects.toMatchObject(notEncoded);
    for (const command of ['insert', 'bulkWrite', 'find'])
      expect(server.commands().get(command) ?? 0).toBe(0);
    // The connection is as good as before.
    await connection.write({ insert: 'things', documents: [{ _id: 'b' }] });
    expect(await connection.find('things', {}, {})).toEqual([{ _id: 'b' }]);
  });
});

test('what time it is is said by the clock of MongoDB (double), and by none while that is away', async () => {
  let now = 1_000_000;
  const server = await startDouble({ clock: () => now });
  const connection = await connectMongo({ url: server.url, database: 'lode' });
  const hasty = await openHasty(server);
  try {
    expect(await connection.now()).toBe(now);
    now -= 1_000;
    expect(await connection.now()).toBe(now);
    await server.stop();
    await expect(hasty.now()).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    await Promise.all([connection.close(), hasty.close()]);
    await server.stop();
  }
});
