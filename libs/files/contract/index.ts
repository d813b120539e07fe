import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  fileLimits,
  filePurposes,
  purposeRules,
  type FileContent,
  type FileMetadata,
  type FileStore,
} from '#files';
import { accepted, pdf, pdfOf, png, refused } from './samples.js';

export { describeFileCatalogue, type FileCatalogueFixture } from './catalogue.js';

/** What a test needs of an adapter: an empty store with a clock that stands at `at`, and what of it is there to see. */
export type FileStoreFixture = {
  readonly open: () => Promise<FileStore>;
  /** Called with the store that is open; answers with a new one over the same data. */
  readonly reopen: (store: FileStore) => Promise<FileStore>;
  /** ISO instant of the store's clock. */
  readonly at: string;
  /** Names of everything that the store keeps; empty when it keeps nothing. */
  readonly kept: () => Promise<readonly string[]>;
  readonly cleanUp: () => Promise<void>;
};

const OWNER = { ownerId: 'ann', purpose: 'evidence' } as const;
const byId = (a: FileMetadata, b: FileMetadata) => (a.fileId < b.fileId ? -1 : 1);
const AT_ONCE = 16;
const RUNS = 25;

/** The promises of the file store port, run against an adapter. */
export function describeFileStore(name: string, fixture: () => Promise<FileStoreFixture>): void {
  describe(`file store contract: ${name}`, () => {
    let engine: FileStoreFixture;
    let store: FileStore;
    beforeEach(async () => {
      engine = await fixture();
      store = await engine.open();
    });
    afterEach(async () => {
      await store.close();
      await engine.cleanUp();
    });
    const contentOf = async (fileId: string) => {
      const { metadata, stream } = await store.open(fileId);
      return { metadata, content: Buffer.concat(await stream.toArray()) };
    };

    test('some bytes of a file are those bytes', async () => {
      const { fileId } = await store.put(pdf, OWNER);
      for (const range of [
        { first: 0, last: 0 },
        { first: 5, last: 20 },
        { first: pdf.length - 3, last: pdf.length - 1 },
        { first: 0, last: pdf.length - 1 },
      ]) {
        const { stream } = await store.open(fileId, range);
        expect(Buffer.concat(await stream.toArray())).toEqual(pdf.subarray(range.first, range.last + 1));
      }
    });

    test('a copy of another store’s file is that file, however often it is made', async () => {
      const content = pdf;
      const file = {
        fileId: 'CopiedFromAnotherStore0000000000000',
        ...OWNER,
        mediaType: 'application/pdf',
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        createdAt: '2020-01-01T00:00:00.000Z',
      } as const;
      await expect(store.copy(png, file)).rejects.toMatchObject({ code: 'storage_failed' });
      for (const _ of [1, 2]) await store.copy(Readable.from([content]), file);
      expect(await contentOf(file.fileId)).toEqual({ metadata: file, content });
      expect(await store.usage(OWNER)).toEqual({ files: 1, bytes: content.length });
      await expect(store.copy(content, { ...file, ownerId: 'bob' })).rejects.toMatchObject({
        code: 'conflict',
      });
    });

    test('copies are refused by no quota, which counts them all the same', async () => {
      const owner = { ownerId: 'ann', purpose: 'profile-image' } as const;
      const { files } = purposeRules['profile-image'].quota;
      const sha256 = createHash('sha256').update(png).digest('hex');
      const facts = { mediaType: 'image/png', bytes: png.length, sha256 } as const;
      for (let n = 0; n <= files; n++) {
        const fileId = `CopiedFromAnotherStore${String(n).padStart(13, '0')}`;
        await store.copy(png, { fileId, ...owner, ...facts, createdAt: '2020-01-01T00:00:00.000Z' });
      }
      expect(await store.usage(owner)).toEqual({ files: files + 1, bytes: (files + 1) * png.length });
      await expect(store.put(png, owner)).rejects.toMatchObject({ code: 'quota_exceeded' });
    });

    test.each(accepted)('a file comes back as it was stored: %s', async (mediaType, content) => {
      const metadata = await store.put(content, OWNER);
      expect(metadata).toEqual({
        fileId: expect.stringMatching(/^[A-Za-z0-9]{35}$/),
        ownerId: 'ann',
        purpose: 'evidence',
        mediaType,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        createdAt: engine.at,
      });
      expect(await store.stat(metadata.fileId)).toEqual(metadata);
      expect(await contentOf(metadata.fileId)).toEqual({ metadata, content });
    });

    test('a file comes in chunks of whatever size and is the same file', async () => {
      const whole = Buffer.concat([pdf, randomBytes(200_000)]);
      const sha256 = createHash('sha256').update(whole).digest('hex');
      const sizes = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 10 });
      await fc.assert(
        fc.asyncProperty(sizes, async (given) => {
          const chunks: Buffer[] = [];
          let from = 0;
          for (const size of given) chunks.push(whole.subarray(from, (from += size)));
          chunks.push(whole.subarray(from));
          expect(await store.put(Readable.from(chunks), OWNER)).toMatchObject({
            sha256,
            bytes: whole.length,
          });
        }),
        { numRuns: RUNS },
      );
    });

    test.each([
      ['no bytes', Buffer.alloc(0)],
      ['no chunks', Readable.from([])],
      ['empty chunks', Readable.from([Buffer.alloc(0), Buffer.alloc(0)])],
    ] as readonly (readonly [string, FileContent])[])('an empty file is refused: %s', async (_, content) => {
      await expect(store.put(content, OWNER)).rejects.toMatchObject({
        code: 'file_empty',
        message: 'Please enter a valid upload payment evidence.',
      });
      expect(await engine.kept()).toEqual([]);
    });

    test.each(refused)('what is no PDF and no image is refused: %s', async (_, content) => {
      for (const given of [content, Readable.from([...content].map((byte) => Buffer.of(byte)))])
        await expect(store.put(given, OWNER)).rejects.toMatchObject({
          code: 'file_type',
          message: 'Please enter a valid upload payment evidence.',
        });
      expect(await engine.kept()).toEqual([]);
    });

    test('a file of exactly the limit is taken', async () => {
      const metadata = await store.put(pdfOf(fileLimits.bytes), OWNER);
      expect((await store.stat(metadata.fileId)).bytes).toBe(fileLimits.bytes);
    });

    test('a file of one byte more is refused, in one piece and in many', async () => {
      const content = pdfOf(fileLimits.bytes + 1);
      const inPieces = Readable.from([content.subarray(0, -1), content.subarray(-1)]);
      for (const given of [content, inPieces])
        await expect(store.put(given, OWNER)).rejects.toMatchObject({ code: 'file_too_large' });
      expect(await engine.kept()).toEqual([]);
    });

    test('a file without end is not read to the end', async () => {
      let sent = 0;
      const endless = new Readable({
        read() {
          const chunk = sent === 0 ? pdfOf(1024 * 1024) : Buffer.alloc(1024 * 1024);
          sent += chunk.length;
          this.push(chunk);
        },
      });
      await expect(store.put(endless, OWNER)).rejects.toMatchObject({ code: 'file_too_large' });
      expect(endless.destroyed).toBe(true);
      expect(sent).toBeLessThan(fileLimits.bytes * 2);
    });

    test('what is seen to be the wrong type is not read to the end', async () => {
      let sent = 0;
      const endless = new Readable({
        read() {
          sent += 64 * 1024;
          this.push(Buffer.alloc(64 * 1024, 0x20));
        },
      });
      await expect(store.put(endless, OWNER)).rejects.toMatchObject({ code: 'file_type' });
      expect(sent).toBeLessThan(1024 * 1024);
    });

    test('an upload that breaks off leaves nothing, and its own error is told', async () => {
      const broken = Object.assign(new Error('connection reset'), { code: 'ECONNRESET', syscall: 'read' });
      const upload = async function* () {
        yield pdfOf(100_000);
        throw broken;
      };
      await expect(store.put(upload(), OWNER)).rejects.toBe(broken);
      expect(await engine.kept()).toEqual([]);
    });

    test('an upload that is under way is not to be seen', async () => {
      const taken = Promise.withResolvers<void>();
      const killed = Promise.withResolvers<never>();
      const upload = async function* () {
        yield pdfOf(100_000);
        taken.resolve();
        await killed.promise;
      };
      const storing = store.put(upload(), OWNER);
      await taken.promise;
      expect(await engine.kept()).toEqual([]);
      const error = new Error('killed');
      killed.reject(error);
      await expect(storing).rejects.toBe(error);
      expect(await engine.kept()).toEqual([]);
    });

    test('many uploads at once are each their own file', async () => {
      const contents = Array.from({ length: AT_ONCE }, (_, n) =>
        Buffer.concat([pdf, Buffer.alloc(n * 10_000, n)]),
      );
      const stored = await Promise.all(
        contents.map((content, n) =>
          store.put(Readable.from([content]), { ...OWNER, ownerId: `person ${n}` }),
        ),
      );
      expect(new Set(stored.map((one) => one.fileId)).size).toBe(AT_ONCE);
      for (const [n, { fileId }] of stored.entries()) {
        const found = await contentOf(fileId);
        expect(found.metadata.ownerId).toBe(`person ${n}`);
        expect(found.content.equals(contents[n]!)).toBe(true);
      }
    });

    test('a refused upload does not touch what others store beside it', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: AT_ONCE }, (_, n) => store.put(n % 2 === 0 ? png : Buffer.from('text'), OWNER)),
      );
      const stored = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(stored).toHaveLength(AT_ONCE / 2);
      for (const { fileId } of stored) expect((await contentOf(fileId)).content.equals(png)).toBe(true);
    });

    test('a restart keeps files', async () => {
      const metadata = await store.put(png, OWNER);
      store = await engine.reopen(store);
      expect(await contentOf(metadata.fileId)).toEqual({ metadata, content: png });
    });

    test('files are of the platform that took them first, over a restart', async () => {
      const metadata = await store.put(png, OWNER);
      expect(await store.platform()).toBeUndefined();
      await store.claim('one');
      expect(await store.platform()).toBe('one');
      await store.claim('one');
      store = await engine.reopen(store);
      await store.claim('one');
      await expect(store.claim('another')).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringMatching(/ belongs to the platform one, and the log to the platform another: /),
      });
      expect(await store.list({ limit: 10 })).toEqual([metadata]);
    });

    test('a deleted file is gone, alone, and deleting it again is fine', async () => {
      const [one, two] = [await store.put(png, OWNER), await store.put(pdf, OWNER)] as [
        FileMetadata,
        FileMetadata,
      ];
      expect(await store.delete(one.fileId)).toBe(true);
      expect(await store.delete(one.fileId)).toBe(false);
      await expect(store.stat(one.fileId)).rejects.toMatchObject({ code: 'file_not_found' });
      await expect(store.open(one.fileId)).rejects.toMatchObject({ code: 'file_not_found' });
      expect((await contentOf(two.fileId)).content.equals(pdf)).toBe(true);
      await store.delete(two.fileId);
      expect(await engine.kept()).toEqual([]);
    });

    test.each(filePurposes)('a file keeps its purpose, and is refused in its words: %s', async (purpose) => {
      const metadata = await store.put(png, { ownerId: 'ann', purpose });
      expect(metadata.purpose).toBe(purpose);
      store = await engine.reopen(store);
      expect(await store.stat(metadata.fileId)).toEqual(metadata);
      await expect(store.put(Buffer.from('text'), { ownerId: 'ann', purpose })).rejects.toMatchObject({
        code: 'file_type',
        message: purposeRules[purpose].refusal,
      });
    });

    test('what a person keeps for a purpose is counted, over a restart and without what was deleted', async () => {
      const usage = () => store.usage(OWNER);
      expect(await usage()).toEqual({ files: 0, bytes: 0 });
      const first = await store.put(png, OWNER);
      await store.put(pdf, OWNER);
      await store.put(pdf, { ...OWNER, ownerId: 'bob' });
      await store.put(png, { ...OWNER, purpose: 'profile-image' });
      await expect(store.put(Buffer.from('text'), OWNER)).rejects.toThrow();
      expect(await usage()).toEqual({ files: 2, bytes: png.length + pdf.length });
      store = await engine.reopen(store);
      expect(await usage()).toEqual({ files: 2, bytes: png.length + pdf.length });
      await store.delete(first.fileId);
      expect(await usage()).toEqual({ files: 1, bytes: pdf.length });
    });

    test('a person keeps as many files as the quota says, however many come at once', async () => {
      const owner = { ownerId: 'ann', purpose: 'profile-image' } as const;
      const { files } = purposeRules['profile-image'].quota;
      const results = await Promise.allSettled(
        Array.from({ length: files + 3 }, () => store.put(png, owner)),
      );
      const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(refusals).toEqual(Array(3).fill(expect.objectContaining({ code: 'quota_exceeded' })));
      expect((await store.usage(owner)).files).toBe(files);
      await store.put(png, { ...owner, ownerId: 'bob' });
      const kept = results.find((one) => one.status === 'fulfilled')?.value;
      await store.delete(kept?.fileId ?? '');
      await store.put(png, owner);
      await expect(store.put(png, owner)).rejects.toMatchObject({ code: 'quota_exceeded' });
    });

    test('a person keeps as many bytes as the quota says', async () => {
      const owner = { ownerId: 'ann', purpose: 'profile-image' } as const;
      const { bytes } = purposeRules['profile-image'].quota;
      for (let left = bytes; left > 0; left -= fileLimits.bytes)
        await store.put(pdfOf(Math.min(left, fileLimits.bytes)), owner);
      await expect(store.put(png, owner)).rejects.toMatchObject({ code: 'quota_exceeded' });
    });

    test('all files are listed, page by page, in the order of their ids', async () => {
      const stored = await Promise.all(Array.from({ length: 7 }, () => store.put(png, OWNER)));
      const listed: FileMetadata[] = [];
      for (let page = await store.list({ limit: 3 }); page.length > 0;) {
        expect(page.length).toBeLessThanOrEqual(3);
        listed.push(...page);
        page = await store.list({ limit: 3, after: page.at(-1)?.fileId ?? '' });
      }
      expect(listed).toEqual(stored.toSorted(byId));
    });

    test('a person’s files are listed alone, page by page, of every purpose, over a restart', async () => {
      const stored: FileMetadata[] = [];
      for (const purpose of filePurposes) {
        stored.push(await store.put(png, { ownerId: 'ann', purpose }));
        for (const ownerId of ['', 'an', 'anna', 'bob']) await store.put(png, { ownerId, purpose });
      }
      const gone = await store.put(png, OWNER);
      await store.delete(gone.fileId);
      store = await engine.reopen(store);
      const listed: FileMetadata[] = [];
      for (let after = ''; ;) {
        const page = await store.list({ ownerId: 'ann', after, limit: 3 });
        listed.push(...page);
        if (page.length < 3) break;
        after = page.at(-1)?.fileId ?? '';
      }
      expect(listed).toEqual(stored.toSorted(byId));
      expect(await store.list({ ownerId: 'carl', limit: 3 })).toEqual([]);
    });

    test('a file that is deleted as soon as it is listed is gone', async () => {
      const storing = store.put(png, OWNER);
      let listed: readonly FileMetadata[] = [];
      while (listed.length === 0) {
        await setImmediate();
        listed = await store.list({ ownerId: OWNER.ownerId, limit: 10 });
      }
      const { fileId } = listed[0]!;
      expect(await store.delete(fileId)).toBe(true);
      expect((await storing).fileId).toBe(fileId);
      expect([await engine.kept(), await store.list({ limit: 10 })]).toEqual([[], []]);
    });

    test.each([
      'A'.repeat(35),
      'A'.repeat(34),
      '',
      '.',
      '..',
      '../'.repeat(11) + 'ab',
      '/etc/passwd',
      `${'A'.repeat(34)}/`,
      `${'A'.repeat(34)}\0`,
      `${'A'.repeat(35)}\n`,
      `${'A'.repeat(35)}.json`,
      'unfinished',
    ])('what is no file is not found, and deleting it does nothing: %j', async (fileId) => {
      const stored = await store.put(png, OWNER);
      await expect(store.stat(fileId)).rejects.toMatchObject({ code: 'file_not_found' });
      await expect(store.open(fileId)).rejects.toMatchObject({ code: 'file_not_found' });
      expect(await store.delete(fileId)).toBe(false);
      expect(await store.stat(stored.fileId)).toEqual(stored);
    });
  });
}
