import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startDouble, type Fault, type MongoDbDouble } from '#mongodb/double';
import type { Checkpoints } from '#reactors';
import { describeCheckpoints, parkedAt, progressTo } from '#reactors/contract';
import {
  forgetMongoReactors,
  openMongoCheckpoints,
  readMongoReactors,
  type MongoCheckpoints,
} from '#reactors/mongodb';

for (const replicaSet of [undefined, 'rs0']) {
  describeCheckpoints(`MongoDB (double, replica set: ${replicaSet})`, async () => {
    const server = await startDouble(replicaSet === undefined ? {} : { replicaSet });
    const opened: MongoCheckpoints[] = [];
    return {
      take: async () => {
        const one = await openMongoCheckpoints({ url: server.url, database: 'lode', logId: 'one' });
        return one.under({ epoch: opened.push(one) });
      },
      cleanUp: async () => {
        for (const { close } of opened) await close();
        await server.stop();
      },
    };
  });
}

const FAULTS: readonly (readonly [Fault, code: string | undefined])[] = [
  ['not-primary', 'unavailable'],
  ['write-concern', undefined],
  ['cut-before', 'unavailable'],
  ['cut-after', undefined],
  ['timeout-before', 'unavailable'],
  ['timeout-after', undefined],
  ['disk-full', 'storage_full'],
];

describe('checkpoints on MongoDB (double)', () => {
  let server: MongoDbDouble;
  let opened: MongoCheckpoints;
  let checkpoints: Checkpoints;
  beforeEach(async () => {
    server = await startDouble({ replicaSet: 'rs0' });
    opened = await openMongoCheckpoints({ url: server.url, database: 'lode', logId: 'one' });
    checkpoints = opened.under({ epoch: 3 });
    await checkpoints.save('one', progressTo(1, { put: [parkedAt(1)] }));
  });
  afterEach(async () => {
    await opened.close();
    await server.stop();
  });

  test.each(FAULTS)(
    'a save with the fault %s is there, or fails and can be made again',
    async (fault, code) => {
      const progress = progressTo(2, { put: [parkedAt(2)] });
      server.failNext('update', fault);
      const outcome = await checkpoints.save('one', progress).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(server.faultsLeft()).toBe(0);
      if (code === undefined) expect(outcome).toBeUndefined();
      else {
        expect(outcome).toMatchObject({ code });
        expect((await checkpoints.load('one')).position).toBe('1');
        await checkpoints.save('one', progress);
      }
      await checkpoints.save('one', progressTo(3, { remove: [parkedAt(1).position] }));
      expect(await checkpoints.load('one')).toEqual({ position: '3', ordinal: 3, parked: [parkedAt(2)] });
    },
  );

  test.each(FAULTS)(
    'a later holder’s load with the fault %s comes to the same, tried again',
    async (fault, code) => {
      const later = opened.under({ epoch: 4 });
      const expected = { position: '1', ordinal: 1, parked: [parkedAt(1)] };
      const isRefused = fault === 'not-primary' || fault === 'disk-full';
      server.failNext('findAndModify', fault);
      if (isRefused) await expect(later.load('one')).rejects.toMatchObject({ code });
      expect(await later.load('one')).toEqual(expected);
      expect(server.faultsLeft()).toBe(0);
      await expect(checkpoints.save('one', progressTo(2))).rejects.toMatchObject({ code: 'conflict' });
      expect(await later.load('one')).toEqual(expected);
    },
  );

  test('those of another log begin with nothing, and forgetting them leaves these', async () => {
    const other = { url: server.url, database: 'lode', logId: 'other' };
    const others = await openMongoCheckpoints(other);
    const under = others.under({ epoch: 1 });
    expect(await under.load('one')).toEqual({ position: '0', ordinal: 0, parked: [] });
    await under.save('one', progressTo(9));
    expect(await readMongoReactors(other)).toEqual([{ name: 'one', position: '9', ordinal: 9, parked: [] }]);
    expect(await others.read()).toEqual(await readMongoReactors(other));
    await forgetMongoReactors(other);
    expect(await readMongoReactors(other)).toEqual([]);
    expect(await checkpoints.load('one')).toEqual({ position: '1', ordinal: 1, parked: [parkedAt(1)] });
    await others.close();
  });

  test('a save is one command once the document is known', async () => {
    server.resetCounts();
    await checkpoints.save('one', progressTo(2));
    expect(server.commands()).toEqual(new Map([['update', 1]]));
  });
});
