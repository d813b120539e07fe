import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { fileLimits, type FileCatalogue, type FileMetadata, type FileStore } from '#files';
import { openS3FileStore, type S3FilesOptions } from '#files/s3';
import { openSqliteFileCatalogue } from '#files/sqlite';
import { systemRandom, systemTimers } from '#kernel';
import { describeWhere, lacking, opened, until } from '#kernel/testing';
import { pdf, pdfOf, png } from '../contract/samples.js';
import { parseS3Url } from './address.js';
import { s3Limits, type S3Limits } from './limits.js';
import { createObjects, type Objects } from './objects.js';
import {
  findVersitygw,
  startProxy,
  startVersitygw,
  type Proxy,
  type TestBucket,
  type Versitygw,
} from './testing/index.js';

const OWNER = { ownerId: 'ann', purpose: 'evidence' } as const;
const NOTHING = { files: 0, bytes: 0 };
const MEBIBYTE = 1024 * 1024;
const LARGE = pdfOf(fileLimits.bytes);
const STALE_MS = 600_000;
const retry = { firstMs: 20, lastMs: 100, jitter: 0 };
/** Of a store that must answer however busy this machine is. */
const patient = { ...s3Limits, retry, openMs: 120_000, uploadMs: STALE_MS / 2, staleMs: STALE_MS };
/** Of one that is to give up. */
const hasty = {
  ...patient,
  openMs: 1_000,
  uploadMs: 6_000,
  operationMs: 1_500,
  uploadTryMs: 5_000,
  tryMs: 500,
  stalledMs: 500,
};

describeWhere(findVersitygw() !== undefined, 'faults of the file store on versitygw', lacking('s3'), () => {
  let server: Versitygw;
  let proxy: Proxy;
  let bucket: TestBucket;
  let folder: string;
  let catalogue: FileCatalogue;
  let store: FileStore;
  let impatient: FileStore;
  let now: number;
  beforeEach(async () => {
    server = await startVersitygw();
    proxy = await startProxy(server.port);
    bucket = await server.createBucket();
    folder = mkdtempSync(join(tmpdir(), 'lode-s3-faults-'));
    catalogue = await openSqliteFileCatalogue({ file: join(folder, 'files.sqlite') });
    now = Date.parse('2026-01-01T00:00:00.000Z');
    store = await open();
    impatient = await openHasty();
  });
  afterEach(async () => {
    await Promise.all([store.close(), impatient.close()]);
    await proxy.close();
    await server.close();
    await catalogue.close();
    rmSync(folder, { recursive: true });
  });

  const open = (more: Partial<S3FilesOptions> = {}) =>
    openS3FileStore({
      url: bucket.url({ port: proxy.port }),
      catalogue,
      spool: folder,
      clock: () => now,
      limits: patient,
      ...more,
    });
  const openHasty = (more: Partial<S3Limits> = {}) => opened(() => open({ limits: { ...hasty, ...more } }));
  const contentOf = async (fileId: string) =>
    Buffer.concat(await (await store.open(fileId)).stream.toArray());

  const expectNothingSeen = async () =>
    expect([await store.list({ limit: 10 }), await store.usage(OWNER)]).toEqual([[], NOTHING]);

  /** After a sweep nothing is to be found of what failed, and the store works. */
  async function expectNothingLeft(): Promise<void> {
    now += STALE_MS + 1;
    await store.sweep();
    await expectNothingSeen();
    expect([await bucket.keys(), await catalogue.stale(now + 1)]).toEqual([[], []]);
    expect(readdirSync(folder).filter((name) => name.startsWith('lode-upload'))).toEqual([]);
    const { fileId } = await store.put(pdf, OWNER);
    expect((await contentOf(fileId)).equals(pdf)).toBe(true);
  }

  test.each([
    ['killed', () => server.kill(), () => server.start()],
    ['paused', async () => server.pause(), async () => server.resume()],
  ])(
    'a put while the store is %s in the middle is unavailable after its time, and leaves nothing',
    async (_, fail, heal) => {
      const failed = proxy.onceSent(MEBIBYTE, fail);
      await expect(impatient.put(Readable.from([LARGE]), OWNER)).rejects.toMatchObject({
        code: 'unavailable',
      });
      await failed;
      await expectNothingSeen();
      await heal();
      // What the store got of it in time it may still take.
      await until(async () => proxy.connections() === 0);
      await expectNothingSeen();
      await expectNothingLeft();
    },
  );

  test.each([
    ['killed', () => server.kill(), () => server.start()],
    ['paused', async () => server.pause(), async () => server.resume()],
  ])('a put goes on by itself when the store that was %s is back in time', async (_, fail, heal) => {
    const failed = proxy.onceSent(MEBIBYTE, fail);
    const storing = store.put(Readable.from([LARGE]), OWNER);
    await failed;
    await heal();
    const { fileId } = await storing;
    expect((await contentOf(fileId)).equals(LARGE)).toBe(true);
    expect(await bucket.keys()).toEqual([fileId]);
  });

  test('what arrives after its put was given up is not seen, and swept', async () => {
    server.pause();
    await expect(impatient.put(pdf, OWNER)).rejects.toMatchObject({ code: 'unavailable' });
    server.resume();
    // The store has taken all of the request, and does what it says.
    await until(async () => (await bucket.keys()).length === 1);
    await expectNothingSeen();
    await expectNothingLeft();
  });

  test('a put whose answer was lost is stored once, and not sent again', async () => {
    proxy.loseNextAnswer();
    const { fileId } = await store.put(png, OWNER);
    expect(await bucket.keys()).toEqual([fileId]);
    expect((await contentOf(fileId)).equals(png)).toBe(true);
  });

  test.each([
    ['killed', () => server.kill(), () => server.start()],
    ['paused', async () => server.pause(), async () => server.resume()],
  ])(
    'a download while the store is %s in the middle fails, and is whole afterwards',
    async (_, fail, heal) => {
      const { fileId } = await store.put(LARGE, OWNER);
      // Directly: what is between them would take more of the file in.
      await store.close();
      store = await open({ url: bucket.url(), limits: { ...patient, stalledMs: 5_000 } });
      const { stream } = await store.open(fileId);
      let received = 0;
      const reading = (async () => {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          // What of it is on its way by then is less than the rest.
          if (received === 0) await fail();
          received += chunk.length;
        }
      })();
      await expect(reading).rejects.toMatchObject({ code: 'unavailable' });
      expect(received).toBeLessThan(LARGE.length);
      await expect(impatient.open(fileId)).rejects.toMatchObject({ code: 'unavailable' });
      await heal();
      expect((await contentOf(fileId)).equals(LARGE)).toBe(true);
    },
  );

  test('a download that its reader leaves is let go of', async () => {
    await store.close();
    store = await open({ limits: { ...patient, downloads: 1 } });
    const { fileId } = await store.put(LARGE, OWNER);
    for (let n = 0; n < 3; n += 1) {
      const { stream } = await store.open(fileId);
      await expect(store.open(fileId)).rejects.toMatchObject({ code: 'overloaded' });
      const closed = new Promise((resolve) => stream.once('close', resolve));
      for await (const chunk of stream) {
        expect(chunk).toBeDefined();
        break;
      }
      await closed;
    }
    expect((await contentOf(fileId)).equals(LARGE)).toBe(true);
  });

  test.each([
    ['cut short', (path: string) => truncate(path, 10)],
    ['another one of the same length', (path: string) => writeFile(path, pdf.toReversed())],
    ['longer', (path: string) => writeFile(path, Buffer.concat([pdf, png]))],
    ['missing', (path: string) => rm(path)],
  ])('a content that is %s in the bucket is never given as if it were whole', async (_, spoil) => {
    const { fileId } = await store.put(pdf, OWNER);
    await spoil(bucket.fileOf(fileId));
    let received = 0;
    const reading = (async () => {
      const { stream } = await store.open(fileId);
      for await (const chunk of stream as AsyncIterable<Buffer>) received += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'storage_failed' });
    expect(received).toBeLessThan(pdf.length);
  });

  test('a file whose content can not be deleted now is gone, and deleted later', async () => {
    const { fileId } = await store.put(pdf, OWNER);
    await server.kill();
    await expect(impatient.delete(fileId)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.stat(fileId)).rejects.toMatchObject({ code: 'file_not_found' });
    expect(await store.list({ limit: 10 })).toMatchObject([{ fileId }]);
    await server.start();
    await expectNothingLeft();
  });

  test.each([
    ['killed', () => server.kill(), () => server.start()],
    ['paused', async () => server.pause(), async () => server.resume()],
    ['refusing', async () => rm(bucket.fileOf(''), { recursive: true }), async () => undefined],
  ])(
    'what fails while the store is %s names neither its keys nor those of contents',
    async (_, fail, heal) => {
      await impatient.close();
      impatient = await openHasty({ uploadMs: 1_500, sweepMs: 500 });
      const { fileId } = await store.put(pdf, OWNER);
      await catalogue.markDeleting((await store.put(png, OWNER)).fileId, now);
      now += STALE_MS + 1;
      const swept = (await catalogue.stale(now)).map(({ file }) => file.fileId);
      await fail();
      const errors: unknown[] = [];
      for (const failing of [
        () => impatient.put(pdf, OWNER),
        () => impatient.open(fileId),
        () => impatient.sweep(),
        () => impatient.delete(fileId),
      ])
        await failing().catch((error: unknown) => errors.push(error));
      expect(errors).toHaveLength(4);
      const told = inspect(errors, { depth: Infinity, showHidden: true });
      for (const key of [fileId, ...swept, 'lode-tests', server.secret, encodeURIComponent(server.secret)])
        expect(told).not.toContain(key);
      await heal();
    },
  );

  test('nobody waits for more than there is room for', async () => {
    await store.close();
    store = await open({ limits: { ...patient, requests: 1, waiting: 1 } });
    server.pause();
    const puts = [1, 2, 3].map(() => store.put(pdf, OWNER));
    const all = Promise.allSettled(puts);
    await expect(Promise.race(puts)).rejects.toMatchObject({ code: 'overloaded' });
    server.resume();
    expect((await all).filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test.each([
    [
      'a bucket that is not there',
      () => bucket.url({ bucket: 'missing' }),
      'storage_failed',
      'There is no bucket missing as S3_URL names it.',
    ],
    [
      'a wrong secret',
      () => bucket.url({ secret: 'Qx7/Vw9' }),
      'storage_failed',
      'The store of files refuses the keys of S3_URL',
    ],
    [
      'a port where nobody is',
      () => bucket.url({ port: 1 }),
      'unavailable',
      "The store of files can't be reached.",
    ],
  ])('an opening with %s says so, and no secret', async (_, url, code, message) => {
    const limits = code === 'unavailable' ? hasty : patient;
    const error: unknown = await open({ url: url(), limits }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toMatch(/Qx7|Vw9|a\/secret|a%2Fsecret/);
  });

  test('an upload that comes has no name on the disk, so that nothing is left of it', async () => {
    let names: readonly string[] = [];
    const upload = async function* () {
      yield pdf;
      names = readdirSync(folder);
      yield pdf;
    };
    await store.put(upload(), OWNER);
    expect(names.filter((name) => !name.startsWith('files.sqlite'))).toEqual([]);
  });

  test('a folder for uploads that can not be used is told in one sentence', async () => {
    await store.close();
    const spool = join(folder, 'spool', 'of uploads');
    store = await open({ spool });
    await rm(spool, { recursive: true });
    await expect(store.put(Readable.from([pdf]), OWNER)).rejects.toMatchObject({
      code: 'storage_failed',
      message: "The folder of uploads under way can't be used: ENOENT.",
    });
    await expectNothingSeen();
    const inTheWay = join(folder, 'a file');
    await writeFile(inTheWay, '');
    await expect(open({ spool: join(inTheWay, 'spool') })).rejects.toMatchObject({
      code: 'storage_failed',
      message: "The folder of uploads under way can't be used: ENOTDIR.",
    });
  });

  /** The files without a name that this program has open: uploads that are not stored. */
  const spooled = () =>
    readdirSync('/proc/self/fd')
      .map((name) => `/proc/self/fd/${name}`)
      .filter((path) => existsSync(path) && /lode-upload.* \(deleted\)$/.test(readlinkSync(path)));

  test('an upload whose spool can not be read to its end fails alone, and the program goes on', async () => {
    const isCut = Promise.withResolvers<void>();
    // It sends nothing before: the connection that is waited for is the other one's.
    const halting = async function* () {
      yield LARGE.subarray(0, MEBIBYTE);
      await isCut.promise;
      yield LARGE.subarray(MEBIBYTE);
    };
    const other = store.put(halting(), { ...OWNER, ownerId: 'bob' });
    await until(async () => spooled().length === 1);
    const [kept = ''] = spooled();
    const cut = proxy.onceSent(MEBIBYTE * 2, async () => {
      for (const path of spooled()) if (path !== kept) await truncate(path, MEBIBYTE);
    });
    const error: unknown = await store.put(Readable.from([LARGE]), OWNER).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'storage_failed',
      message: 'An upload under way was cut short on the disk.',
    });
    await cut;
    isCut.resolve();
    expect((await contentOf((await other).fileId)).equals(LARGE)).toBe(true);
    expect([await store.usage(OWNER), spooled()]).toEqual([NOTHING, []]);
  });

  test('no more uploads are on the disk at once than there is room for, of all and of one person', async () => {
    await store.close();
    store = await open({ limits: { ...patient, spooled: 3, spooledOfOnePerson: 2 } });
    const whole = Promise.withResolvers<void>();
    const slowly = async function* () {
      yield pdf;
      await whole.promise;
    };
    const put = (ownerId: string) => store.put(slowly(), { ...OWNER, ownerId });
    const begun = [put('ann'), put('ann')];
    await expect(put('ann')).rejects.toMatchObject({ code: 'overloaded' });
    begun.push(put('bob'));
    await expect(put('carl')).rejects.toMatchObject({ code: 'overloaded' });
    // What is in memory is not on the disk.
    await store.put(png, { ...OWNER, ownerId: 'carl' });
    await until(async () => spooled().length === 3);
    whole.resolve();
    expect(await Promise.all(begun)).toHaveLength(3);
    await put('carl');
    expect(spooled()).toEqual([]);
  });

  describe('a sweep', () => {
    /** Files that are to be deleted since long, the oldest first. */
    async function deleted(count: number): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const { fileId } = await store.put(pdf, OWNER);
        await catalogue.markDeleting(fileId, now + n);
        ids.push(fileId);
      }
      now += STALE_MS + count;
      return ids;
    }
    /** From now on these contents, and no others, can't be deleted. */
    const jam = (...fileIds: readonly string[]) =>
      proxy.breakAt(fileIds.map((fileId) => `DELETE /${bucket.name}/${fileId}?`));
    const limits = { ...patient, sweepMs: 2_000, sweepFailures: 2 };

    test('goes on past a content that can not be deleted, says so, and deletes it once it can', async () => {
      store = await open({ limits });
      const [first = '', ...others] = await deleted(3);
      jam(first);
      expect(await store.sweep()).toEqual({ finished: others.length, failed: 1 });
      expect((await catalogue.stale(now)).map(({ file }) => file.fileId)).toEqual([first]);
      expect(await store.sweep()).toEqual({ finished: 0, failed: 1 });
      jam();
      expect(await store.sweep()).toEqual({ finished: 1, failed: 0 });
      expect([await catalogue.stale(now), await bucket.keys()]).toEqual([[], []]);
    });

    test('stops when too many can not be deleted, and the next one goes on behind them', async () => {
      store = await open({ limits });
      const [first = '', second = ''] = await deleted(4);
      jam(first, second);
      expect(await store.sweep()).toEqual({ finished: 0, failed: 2 });
      expect(await store.sweep()).toEqual({ finished: 2, failed: 0 });
      expect(await store.sweep()).toEqual({ finished: 0, failed: 2 });
    });

    test('fails when the store is away, and forgets nothing', async () => {
      const ids = await deleted(2);
      store = await openHasty({ sweepMs: 500 });
      await server.kill();
      await expect(store.sweep()).rejects.toMatchObject({ code: 'unavailable' });
      expect((await catalogue.stale(now)).map(({ file }) => file.fileId)).toEqual(ids);
      await server.start();
      await expectNothingLeft();
    });
  });

  describe('a content', () => {
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    const file: FileMetadata = {
      ...OWNER,
      fileId: 'A'.repeat(35),
      mediaType: 'application/pdf',
      bytes: pdf.length,
      sha256,
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const bodies = [
      ['in memory', (content: Buffer) => content],
      ['in chunks', (content: Buffer) => Readable.from([content], { objectMode: false })],
    ] as const;
    let objects: Objects;
    beforeEach(() => {
      const address = parseS3Url(bucket.url());
      objects = createObjects({
        address,
        limits: patient,
        timers: systemTimers,
        random: systemRandom,
      });
    });
    afterEach(() => objects.close());

    test.each(bodies)(
      'that came otherwise than its SHA-256 says is refused by the store: %s',
      async (_, of) => {
        const other = Buffer.from(pdf).reverse();
        await expect(objects.put(file, () => of(other))).rejects.toMatchObject({ code: 'storage_failed' });
        expect(await bucket.keys()).toEqual([]);
      },
    );

    test.each(bodies)('is never written over, and written again is the same: %s', async (_, of) => {
      await objects.put(file, () => of(pdf));
      await objects.put(file, () => of(pdf));
      const other = Buffer.from(pdf).reverse();
      const changed = { ...file, sha256: createHash('sha256').update(other).digest('hex') };
      await expect(objects.put(changed, () => of(other))).rejects.toMatchObject({
        code: 'storage_failed',
        message: `The bucket ${bucket.name} has something else under the name of a new file.`,
      });
      expect((await readFile(bucket.fileOf(file.fileId))).equals(pdf)).toBe(true);
    });
  });

  test('a bucket that goes away is told at once, also of a content that is large', async () => {
    await rm(bucket.fileOf(''), { recursive: true });
    for (const content of [pdf, LARGE])
      await expect(store.put(Readable.from([content]), OWNER)).rejects.toMatchObject({
        code: 'storage_failed',
        message: `There is no bucket ${bucket.name} as S3_URL names it.`,
      });
  });
});
