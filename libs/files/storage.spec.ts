import { describe, expect, jest, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { createStorage, fileLimits, type FileMetadata, type FilesDisk } from '#files';
import { systemTimers } from '#kernel';

const MINUTE_MS = 60_000;
const KEPT = 1_000;

/** A store with so many files of a byte each, and what bounds it. */
function storageOf(files: number, bytes: number, disk: FilesDisk = () => undefined) {
  const world = { files, now: 0 };
  const idOf = (n: number) => String(n).padStart(8, '0');
  const list = jest.fn(async ({ after = '', limit }: { readonly after?: string; readonly limit: number }) => {
    const first = after === '' ? 0 : Number(after) + 1;
    return Array.from({ length: Math.min(limit, Math.max(0, world.files - first)) }, (_, n) => ({
      ...({} as FileMetadata),
      fileId: idOf(first + n),
      bytes: 1,
    }));
  });
  const storage = createStorage(
    { list },
    { bytes, free: KEPT },
    { disk, monotonic: () => world.now, timers: systemTimers },
  );
  return { world, list, storage };
}

const full = { code: 'storage_full' };

describe('room for uploads', () => {
  test('is there until all files together take what they may', async () => {
    const { storage } = storageOf(2 * fileLimits.page + 7, 2 * fileLimits.page + 10);
    for (let n = 0; n < 3; n++) {
      await storage.check();
      storage.add(1);
    }
    await expect(storage.check()).rejects.toMatchObject(full);
    expect(storage.full()).toContain('LODE_FILES_MIB');
  });

  test('lets others go on between two pages of them', async () => {
    const { list, storage } = storageOf(3 * fileLimits.page, 10);
    const checking = storage.check();
    await setImmediate();
    expect(list.mock.calls.length).toBeLessThan(3);
    await expect(checking).rejects.toMatchObject(full);
  });

  test('is looked for again after a minute, so that what others took and deleted is seen', async () => {
    const { world, list, storage } = storageOf(5, 10);
    await Promise.all([storage.check(), storage.check()]);
    expect(list).toHaveBeenCalledTimes(1);
    world.files = 10;
    await storage.check();
    world.now += MINUTE_MS;
    await expect(storage.check()).rejects.toMatchObject(full);
    world.files = 4;
    await expect(storage.check()).rejects.toMatchObject(full);
    world.now += MINUTE_MS;
    await storage.check();
    expect(storage.full()).toBeUndefined();
  });

  test.each([
    ['less than is to stay free', 999, 1_000_000, false],
    ['as much as is to stay free', 1_000, 1_000_000, true],
    ['a twentieth of a small disk', 50, 1_000, true],
    ['less than that', 49, 1_000, false],
  ])('on a disk that has %s', async (_, freeBytes, totalBytes, isThere) => {
    const { storage } = storageOf(0, 10, () => ({ freeBytes, totalBytes }));
    const asked = storage.check();
    if (isThere) await asked;
    else await expect(asked).rejects.toMatchObject(full);
    expect(storage.full() === undefined).toBe(isThere);
  });
});
