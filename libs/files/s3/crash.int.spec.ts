import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileCatalogue, FileMetadata, FileStore } from '#files';
import { openSqliteFileCatalogue } from '#files/sqlite';
import { systemRandom, systemTimers } from '#kernel';
import { describeWhere, lacking } from '#kernel/testing';
import { pdf, png } from '../contract/samples.js';
import { parseS3Url } from './address.js';
import { s3Limits } from './limits.js';
import { createObjects, type Objects } from './objects.js';
import { createS3Store } from './store.js';
import { findVersitygw, startVersitygw, type TestBucket, type Versitygw } from './testing/index.js';

const OWNER = { ownerId: 'ann', purpose: 'evidence' } as const;
const STALE_MS = s3Limits.staleMs;

/** A program that ends at one of the steps that it takes in the catalogue and in the bucket, before it or after it. */
class Crash extends Error {}
function createCrash(at: number) {
  let steps = 0;
  const step = () => {
    if (steps >= at) throw new Crash(`at step ${at}`);
    steps += 1;
  };
  return {
    hasCome: () => steps >= at,
    around: <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (_, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return async (...given: readonly unknown[]): Promise<unknown> => {
            step();
            const result: unknown = await Reflect.apply(value, target, given);
            step();
            return result;
          };
        },
      }),
  };
}

describeWhere(findVersitygw() !== undefined, 'crashes of the file store on versitygw', lacking('s3'), () => {
  let server: Versitygw;
  let bucket: TestBucket;
  let folder: string;
  let catalogue: FileCatalogue;
  let objects: Objects;
  let now: number;
  beforeAll(async () => void (server = await startVersitygw()));
  afterAll(() => server.close());
  beforeEach(async () => {
    bucket = await server.createBucket();
    folder = mkdtempSync(join(tmpdir(), 'lode-s3-crash-'));
    catalogue = await openSqliteFileCatalogue({ file: join(folder, 'files.sqlite') });
    const address = parseS3Url(bucket.url());
    objects = createObjects({ address, limits: s3Limits, timers: systemTimers, random: systemRandom });
    now = Date.parse('2026-01-01T00:00:00.000Z');
  });
  afterEach(async () => {
    objects.close();
    await catalogue.close();
    rmSync(folder, { recursive: true });
  });

  const storeOn = (
    parts: { readonly catalogue?: FileCatalogue; readonly objects?: Objects } = {},
  ): FileStore =>
    createS3Store({
      catalogue,
      objects,
      ...parts,
      clock: () => now,
      random: systemRandom,
      spool: folder,
      limits: s3Limits,
    });

  /** Does work in a program that ends at each of its steps by turns, and looks at what is left; then once without. Says how many steps there are. */
  async function atEveryStep(
    prepare: (store: FileStore) => Promise<void>,
    work: (store: FileStore) => Promise<void>,
    look: (isDone: boolean) => Promise<void>,
  ): Promise<number> {
    for (let at = 0, crashes = 0; ; at += 1) {
      await prepare(storeOn());
      const crash = createCrash(at);
      const outcome = await work(
        storeOn({ catalogue: crash.around(catalogue), objects: crash.around(objects) }),
      ).then(
        () => 'done',
        (error: unknown) => (error instanceof Crash ? 'crashed' : error),
      );
      expect(outcome).toBe(outcome === 'done' ? 'done' : 'crashed');
      if (outcome === 'crashed') crashes += 1;
      await look(outcome === 'done');
      if (!crash.hasCome()) return crashes;
    }
  }

  /** The promises that hold at any moment: what can be seen can be read whole, and is counted. */
  async function expectSound(store: FileStore): Promise<readonly FileMetadata[]> {
    const stored: FileMetadata[] = [];
    for (const file of await store.list({ limit: 100 })) {
      const found = await store.stat(file.fileId).catch(() => undefined);
      if (found === undefined) continue;
      stored.push(found);
      const { stream } = await store.open(file.fileId);
      const content = Buffer.concat(await stream.toArray());
      expect(createHash('sha256').update(content).digest('hex')).toBe(file.sha256);
    }
    expect(await store.list({ limit: 100, storedOnly: true })).toEqual(stored);
    return stored;
  }

  /** What holds once a sweep has found everything old: only files are left, in the bucket and in the catalogue. */
  async function expectSwept(): Promise<readonly FileMetadata[]> {
    const store = storeOn();
    now += STALE_MS + 1;
    await store.sweep();
    const stored = await expectSound(store);
    const ids = stored.map(({ fileId }) => fileId);
    expect(await bucket.keys()).toEqual(ids);
    expect((await store.list({ limit: 100 })).map(({ fileId }) => fileId)).toEqual(ids);
    expect(await catalogue.stale(now + 1)).toEqual([]);
    const bytes = stored.reduce((sum, file) => sum + file.bytes, 0);
    expect(await store.usage(OWNER)).toEqual({ files: stored.length, bytes });
    return stored;
  }

  const clear = async (store: FileStore) => {
    for (const { fileId } of await store.list({ limit: 100 })) await store.delete(fileId);
  };

  test('a crash at any step of a put leaves a file or nothing', async () => {
    let kept: FileMetadata | undefined;
    const steps = await atEveryStep(
      async (store) => {
        await clear(store);
        kept = await store.put(png, OWNER);
      },
      async (store) => {
        await store.put(pdf, OWNER);
      },
      async (isDone) => {
        const before = await expectSound(storeOn());
        const stored = await expectSwept();
        expect(stored).toEqual(before);
        expect(stored).toContainEqual(kept);
        if (isDone) expect(stored).toHaveLength(2);
      },
    );
    // Before and after it reserves, writes and marks.
    expect(steps).toBe(6);
  });

  test('a crash at any step of a deletion leaves the file or nothing', async () => {
    let gone: FileMetadata;
    let kept: FileMetadata;
    const steps = await atEveryStep(
      async (store) => {
        await clear(store);
        [gone, kept] = [await store.put(pdf, OWNER), await store.put(png, OWNER)];
      },
      async (store) => {
        await store.delete(gone.fileId);
      },
      async (isDone) => {
        const before = await expectSound(storeOn());
        const stored = await expectSwept();
        expect(stored).toEqual(before);
        expect(stored).toContainEqual(kept);
        if (isDone) expect(stored).toEqual([kept]);
      },
    );
    expect(steps).toBe(6);
  });

  test('a crash at any step of a sweep leaves the rest to the next one', async () => {
    let kept: FileMetadata;
    const steps = await atEveryStep(
      async (store) => {
        await clear(store);
        kept = await store.put(png, OWNER);
        const deleted = await store.put(png, OWNER);
        await catalogue.markDeleting(deleted.fileId, now);
        const crash = createCrash(4);
        const dying = storeOn({ catalogue: crash.around(catalogue), objects: crash.around(objects) });
        await expect(dying.put(pdf, OWNER)).rejects.toBeInstanceOf(Crash);
        now += STALE_MS + 1;
      },
      async (store) => {
        await store.sweep();
      },
      async () => expect(await expectSwept()).toEqual([kept]),
    );
    expect(steps).toBe(12);
  });

  test('a deletion that was cut off is not seen, is listed until it is finished, and finished by the next one', async () => {
    const store = storeOn();
    const { fileId } = await store.put(pdf, OWNER);
    await catalogue.markDeleting(fileId, now);
    await expect(store.open(fileId)).rejects.toMatchObject({ code: 'file_not_found' });
    expect(await store.list({ limit: 10, ownerId: 'ann' })).toMatchObject([{ fileId }]);
    expect(await store.delete(fileId)).toBe(false);
    expect([await store.list({ limit: 10 }), await bucket.keys()]).toEqual([[], []]);
  });

  test('a sweep leaves alone what is not old', async () => {
    const crash = createCrash(4);
    const dying = storeOn({ catalogue: crash.around(catalogue), objects: crash.around(objects) });
    await expect(dying.put(pdf, OWNER)).rejects.toBeInstanceOf(Crash);
    now += STALE_MS;
    expect([await storeOn().sweep(), (await bucket.keys()).length]).toEqual([{ finished: 0, failed: 0 }, 1]);
    now += 1;
    expect([await storeOn().sweep(), await bucket.keys()]).toEqual([{ finished: 1, failed: 0 }, []]);
  });

  /** Contents that are written when `go` is called, before the answer comes and after `begun`. */
  function slowly() {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: Objects = {
      ...objects,
      put: async (file, body) => {
        begun.resolve();
        await gate.promise;
        await objects.put(file, body);
      },
    };
    return { slow, begun: begun.promise, go: gate.resolve };
  }

  test('a put that is slower than the sweep leaves nothing, and says that it did not store', async () => {
    const { slow, begun, go } = slowly();
    const storing = storeOn({ objects: slow }).put(pdf, OWNER);
    await begun;
    now += STALE_MS + 1;
    expect(await storeOn().sweep()).toEqual({ finished: 1, failed: 0 });
    go();
    await expect(storing).rejects.toMatchObject({ code: 'unavailable' });
    expect([await bucket.keys(), await storeOn().list({ limit: 10 })]).toEqual([[], []]);
    expect(await storeOn().usage(OWNER)).toEqual({ files: 0, bytes: 0 });
  });

  test('a file that another program deletes while it is stored is never seen', async () => {
    const { slow, begun, go } = slowly();
    const storing = storeOn({ objects: slow }).put(pdf, OWNER);
    await begun;
    const other = storeOn();
    const [listed] = await other.list({ limit: 10, ownerId: 'ann' });
    expect(await other.delete(listed?.fileId ?? '')).toBe(true);
    go();
    await expect(storing).rejects.toMatchObject({ code: 'unavailable' });
    expect([await bucket.keys(), await other.list({ limit: 10 })]).toEqual([[], []]);
    await expectSwept();
  });
});
