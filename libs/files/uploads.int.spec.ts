import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import {
  createUploads,
  fileLimits,
  filePurposes,
  SAMPLE_BYTES,
  uploadLimits,
  type FileStore,
  type Uploads,
} from '#files';
import { openFolderFiles } from '#files/folder';
import { film, pdf, pdfOf, refused } from './contract/samples.js';
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

  test('keep a film of the site as it is, and take one for nothing else', async () => {
    const whole = Buffer.concat([film, Buffer.alloc(200_000, 7)]);
    for (const purpose of filePurposes) {
      const taken = uploads.take(inOne(whole), { ownerId: 'ann', purpose });
      if (purpose !== 'site-media') {
        await expect(taken).rejects.toMatchObject({ code: 'file_type' });
        continue;
      }
      const { fileId, mediaType } = await taken;
      expect([mediaType, (await contentOf(fileId)).equals(whole)]).toEqual(['video/mp4', true]);
    }
  });

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

  test('of images of one person at once are few, and others are not held up by them', async () => {
    const { slow, go, begun } = await held(uploadLimits.ofOnePerson);
    const own = slow.map((upload) => uploads.take(upload, EVIDENCE));
    await begun;
    const { png } = await pictures();
    await expect(uploads.take(inOne(png), EVIDENCE)).rejects.toMatchObject({ code: 'overloaded' });
    await uploads.take(inOne(pdf), EVIDENCE);
    await uploads.take(inOne(png), { ...EVIDENCE, ownerId: 'bob' });
    go();
    await Promise.all(own);
    await uploads.take(inOne(png), EVIDENCE);
  });

  test('of images at once are bounded over all people', async () => {
    const { slow, go, begun } = await held(uploadLimits.all);
    const all = slow.map((upload, n) => uploads.take(upload, { ...EVIDENCE, ownerId: `person ${n}` }));
    await begun;
    const { png } = await pictures();
    await expect(uploads.take(inOne(png), EVIDENCE)).rejects.toMatchObject({ code: 'overloaded' });
    go();
    await Promise.all(all);
  });

  test('of images are refused to whoever sends more of them before somebody is who sends one', async () => {
    const { slow, go, begun } = await held(uploadLimits.shared);
    const people = (n: number) => ({
      ...EVIDENCE,
      ownerId: `person ${Math.floor(n / uploadLimits.ofOnePerson)}`,
    });
    const all = slow.map((upload, n) => uploads.take(upload, people(n)));
    await begun;
    const { png } = await pictures();
    await expect(uploads.take(inOne(png), people(0))).rejects.toMatchObject({ code: 'overloaded' });
    const one = uploads.take(inOne(png), EVIDENCE);
    await expect(uploads.take(inOne(png), EVIDENCE)).rejects.toMatchObject({ code: 'overloaded' });
    await one;
    go();
    await Promise.all(all);
  });

  /** Uploads of a picture that stop after their first chunks, once all of them have `begun`, until `go` is called. */
  async function held(count: number) {
    const { gif } = await pictures();
    const [gate, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let waiting = 0;
    const one = async function* () {
      // Enough for the type to be told; what follows the end of a GIF does no harm.
      yield Buffer.concat([gif, Buffer.alloc(SAMPLE_BYTES)]);
      waiting += 1;
      if (waiting === count) all.resolve();
      await gate.promise;
      yield Buffer.alloc(1);
    };
    return { slow: Array.from({ length: count }, one), go: gate.resolve, begun: all.promise };
  }
});
