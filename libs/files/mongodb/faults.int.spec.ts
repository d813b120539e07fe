import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { isEngineError } from '#kernel';
import type { FileCatalogue } from '#files';
import { openMongoFileCatalogue } from '#files/mongodb';
import { startDouble, type Fault, type MongoDbDouble } from '#mongodb/double';
import { fileOf, fill, idOf, operations, OWNER, QUOTA, sweptIn } from './testing/index.js';

const happened: readonly Fault[] = ['cut-after', 'timeout-after', 'write-concern'];
const didNot: readonly Fault[] = ['cut-before', 'timeout-before', 'not-primary', 'disk-full'];
const AT_ONCE = 12;

describe('the catalogue of files on MongoDB (double)', () => {
  let server: MongoDbDouble;
  let catalogue: FileCatalogue;
  const open = () => openMongoFileCatalogue({ url: server.url, database: 'lode' });
  beforeEach(async () => {
    server = await startDouble({ replicaSet: 'rs0' });
    catalogue = await open();
    await fill(catalogue);
  });
  afterEach(async () => {
    await catalogue.close();
    await server.stop();
  });

  const each = Object.entries(operations).flatMap(([name, { commands }]) =>
    [...happened, ...didNot].flatMap((fault) =>
      Array.from({ length: commands }, (_, n) => [fault, n + 1, name] as const),
    ),
  );
  test.each(each)(
    'with the fault %s in write %i, %s leaves nothing that a sweep can’t settle',
    async (fault, nth, name) => {
      const { before, work, answer } = operations[name] ?? operations['reserve']!;
      await before?.(catalogue);
      server.failNext('any write', ...Array<Fault>(nth - 1).fill('none'), fault);
      const result = await work(catalogue).catch((error: unknown) => error);
      expect(server.faultsLeft()).toBe(0);
      const isSaid = result instanceof Error;
      if (isSaid)
        expect(result).toMatchObject({ code: fault === 'disk-full' ? 'storage_full' : 'unavailable' });
      else expect(result).toEqual(answer);
      // What happened is known by what it left behind, but for a deletion and a refusal, which leave nothing.
      const isRefusal = name === 'reserve beyond the quota' && nth === 2;
      if (happened.includes(fault) && !name.startsWith('remove')) expect(isSaid).toBe(isRefusal);
      if (didNot.includes(fault) && nth === 1) expect(isSaid).toBe(true);
      if (isSaid && name.startsWith('remove')) await work(catalogue);
      const left = await sweptIn(server.url, catalogue);
      const isGone = name === 'markDeleting of one that is stored' && !isSaid;
      const isStored = name === 'markStored' && !isSaid;
      expect(left).toEqual([...(isStored ? [idOf('pending')] : []), ...(isGone ? [] : [idOf('stored')])]);
    },
  );

  test('two programs whose answers get lost never keep more than the quota, and a sweep sets all right', async () => {
    const other = await open();
    const faults = [...happened, ...didNot].filter((fault) => !fault.startsWith('timeout'));
    for (let round = 0; round < 4; round++) {
      server.failNext('any write', ...faults.flatMap((fault): Fault[] => ['none', fault, 'none']));
      const reserved = await Promise.allSettled(
        Array.from({ length: AT_ONCE }, (_, n) =>
          (n % 2 === 0 ? catalogue : other).reserve(fileOf(`r${round}n${n}`), 2),
        ),
      );
      for (const one of reserved)
        if (one.status === 'rejected')
          expect(
            isEngineError(one.reason) || (one.reason as { code: string }).code === 'quota_exceeded',
          ).toBe(true);
      const { files } = await other.usage(OWNER);
      expect(files).toBeLessThanOrEqual(QUOTA.files);
    }
    await other.close();
    expect(await sweptIn(server.url, catalogue)).toEqual([idOf('stored')]);
  });

  test('what no majority had is not said to be kept', async () => {
    server.loseMajority();
    await expect(catalogue.markStored(idOf('pending'), 2)).rejects.toMatchObject({ code: 'unavailable' });
    server.comeBack('without the last writes');
    const again = await open();
    expect((await again.get(idOf('pending')))?.state).toBe('pending');
    await again.close();
  });

  test('is not opened without a server, nor in a layout that a newer Lode wrote', async () => {
    await server.stop();
    const hasty = openMongoFileCatalogue({ url: server.url, database: 'lode', selectMs: 50 });
    await expect(hasty).rejects.toMatchObject({ code: 'unavailable' });
    await server.start();
    const client = new MongoClient(server.url);
    await client
      .db('lode')
      .collection('files.format')
      .updateMany({}, { $set: { format: 2 } });
    await client.close();
    await expect(open()).rejects.toMatchObject({
      code: 'storage_failed',
      message: 'The catalogue of files in MongoDB was written by a newer Lode.',
    });
  });
});
