import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { createUploads, fileLimits, filePurposes, uploadLimits, type FileStore, type Uploads } from '#files';
import { openFolderFiles } from '#files/folder';
import { pdf, pdfOf, refused } from './contract/samples.js';
import { pictures } from './testing/index.js';

const EVIDENCE = { ownerId: 'ann', purpose: 'evidence' } as const;
const inOne = (content: Buffer) => Readable.from([content]);

describe('uploads', () => {
  let folder: string;
  let store: FileStore;
  let uploads: Uploads;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-uploads-'));
    store = await openFolderFiles({ folder });
    uploads = createUploads(store);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const contentOf = async (fileId: string) =>
    Buffer.concat(await (await store.open(fileId)).stream.toArray());

  test('of a PDF keep it as it is, however it comes', async () => {
    const whole = pdfOf(300_000);
    const sizes = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, async (given) => {
        let from = 0;
        const chunks = given.map((size) => whole.subarray(from, (from += size)));
        const { fileId } = await uploads.take(Readable.from([...chunks, whole.subarray(from)]), EVIDENCE);
        expect((await contentOf(fileId)).equals(whole)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test.each(filePurposes)('of an image keep it encoded anew: %s', async (purpose) => {
    for (const picture of Object.values(await pictures())) {
      const metadata = await uploads.take(inOne(picture), { ownerId: 'ann', purpose });
      expect(metadata).toMatchObject({ purpose, mediaType: 'image/webp' });
      expect((await contentOf(metadata.fileId)).equals(picture)).toBe(false);
    }
  });

  test.each(filePurposes.filter((purpose) => purpose !== 'evidence'))(
    'take a PDF as evidence only: %s',
    async (purpose) => {
      await expect(uploads.take(inOne(pdf), { ownerId: 'ann', purpose })).rejects.toMatchObject({
        code: 'file_type',
      });
    },
  );

  test.each(refused)('refuse what is no PDF and no image: %s', async (_, content) => {
    await expect(uploads.take(inOne(content), EVIDENCE)).rejects.toMatchObject({ code: 'file_type' });
    expect(await store.usage(EVIDENCE)).toEqual({ files: 0, bytes: 0 });
  });

  test('refuse nothing at all, and an image without end', async () => {
    await expect(uploads.take(Readable.from([]), EVIDENCE)).rejects.toMatchObject({ code: 'file_empty' });
    const { png } = await pictures();
    let sent = 0;
    const endless = async function* () {
      yield png;
      for (;;) {
        sent += 1024 * 1024;
        yield Buffer.alloc(1024 * 1024);
      }
    };
    await expect(uploads.take(endless(), EVIDENCE)).rejects.toMatchObject({ code: 'file_too_large' });
    expect(sent).toBeLessThan(fileLimits.bytes * 2);
  });

  test('throw on what the upload itself fails with, and let go of it', async () => {
    const broken = new Error('connection reset');
    const upload = async function* () {
      yield pdf.subarray(0, 10);
      throw broken;
    };
    await expect(uploads.take(upload(), EVIDENCE)).rejects.toBe(broken);
  });

  test('of one person at once are few, and others are not held up by them', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = async function* () {
      await promise;
      yield pdf;
    };
    const own = Array.from({ length: uploadLimits.ofOnePerson }, () => uploads.take(slow(), EVIDENCE));
    await expect(uploads.take(inOne(pdf), EVIDENCE)).rejects.toMatchObject({ code: 'overloaded' });
    await uploads.take(inOne(pdf), { ...EVIDENCE, ownerId: 'bob' });
    resolve();
    await Promise.all(own);
    await uploads.take(inOne(pdf), EVIDENCE);
  });

  test('at once are bounded over all people', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = async function* () {
      await promise;
      yield pdf;
    };
    const all = Array.from({ length: uploadLimits.atOnce }, (_, n) =>
      uploads.take(slow(), { ...EVIDENCE, ownerId: `person ${n}` }),
    );
    await expect(uploads.take(inOne(pdf), EVIDENCE)).rejects.toMatchObject({ code: 'overloaded' });
    resolve();
    await Promise.all(all);
  });
});
