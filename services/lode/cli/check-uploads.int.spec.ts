import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogReader } from '#engines';
import { fileLimits, filesNamedIn, type FileMetadata, type FileStore } from '#files';
import { complaintAbout, openFolderFiles } from '#files/folder';
import { positionOf, type DomainEvent, type RecordedEvent } from '#kernel';
import { PDF } from '../testing/index.js';
import { checkUploads } from './check-uploads.js';

/** One event of a stream, as far as the check looks at it. */
type Fact = readonly [stream: string, type: string, data: DomainEvent['data']];

/** A log of these events whose pages are small. */
function logOf(facts: readonly Fact[]): Pick<LogReader, 'head' | 'readTypes' | 'readStream'> {
  const events = facts.map(
    ([stream, type, data], n) => ({ stream, type, data, position: positionOf(n + 1) }) as RecordedEvent,
  );
  return {
    head: async () => positionOf(events.length),
    readTypes: async (types, after) => {
      const end = Math.min(Number(after) + 2, events.length);
      const found = events.slice(Number(after), end).filter(({ type }) => types.includes(type));
      return { events: found, scanned: positionOf(end), passed: end - Number(after) };
    },
    readStream: async (stream, { from = 0, limit }) =>
      events.filter((event) => event.stream === stream).slice(from, from + limit),
  };
}

describe('the files that a log names', () => {
  let folder: string;
  let store: FileStore;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lode-uploads-'));
    store = await openFolderFiles({ folder });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const stored = (purpose: FileMetadata['purpose'] = 'evidence') =>
    store.put(Buffer.from(PDF), { ownerId: 'ann', purpose });
  const named = ({ fileId, mediaType, bytes, sha256 }: FileMetadata) => ({
    fileId,
    mediaType,
    bytes,
    sha256,
  });
  const check = (...facts: readonly Fact[]) =>
    checkUploads(
      logOf(facts),
      { complaintAbout: (fileId, mustBe) => complaintAbout({ folder }, fileId, mustBe) },
      () => undefined,
    );
  const asked = (file: FileMetadata): Fact => ['account-1', 'FundingRequested', { evidence: named(file) }];
  const pictured = (file: FileMetadata): Fact => ['account-1', 'ProfileImageChanged', { image: named(file) }];

  test('are missed when they are gone, each once, unless they may be', async () => {
    const [kept, gone, first, second] = [await stored(), await stored(), await stored(), await stored()];
    const facts = [asked(kept), asked(gone), asked(gone), pictured(first), pictured(second)];
    for (const { fileId } of [gone, first, second]) await store.delete(fileId);
    const missing = ({ fileId }: { readonly fileId: string }, place: string) => {
      const text = `the uploaded file ${fileId}, named at ${place}, is missing`;
      return { text, told: `${text} or changed` };
    };
    expect(await check(...facts)).toEqual({
      looked: 4,
      wrong: 2,
      complaints: [
        missing(gone, 'position 2 (FundingRequested)'),
        missing(second, 'position 5 (ProfileImageChanged)'),
      ],
    });
    // A transfer that comes back late may stand after it.
    const forgotten: readonly Fact[] = [
      ['account-1', 'PersonForgotten', {}],
      ['account-1', 'TransferRefused', {}],
    ];
    expect(await check(...facts, ...forgotten)).toMatchObject({ looked: 4, wrong: 0 });
  });

  test('of products and of the site’s texts are those that are named last', async () => {
    const pictures = await Promise.all(Array.from({ length: 6 }, () => stored('product-image')));
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = pictures.map(({ fileId }) => fileId);
    const facts: readonly Fact[] = [
      ['product-1', 'ProductCreated', { image: a, ownerImage: b, recommendedImages: [c] }],
      ['product-1', 'ProductChanged', { image: d }],
      ['product-1', 'ProductStockChanged', { isOutOfStock: true }],
      [
        'settings-global',
        'ContentChanged',
        { content: { hero: { images: [`/files/products/${e}.webp`, `/image/${f}.mp4`] } } },
      ],
    ];
    expect(await check(...facts)).toEqual({ looked: 6, wrong: 0, complaints: [] });
    for (const fileId of [a, b, c, d, e, f]) await store.delete(fileId);
    const { wrong, complaints } = await check(...facts);
    expect([wrong, complaints.map(({ text }) => text.split(/[ ,]+/)[3])]).toEqual([5, [b, c, d, e, f]]);
    const after: readonly Fact[] = [
      ['product-1', 'ProductDeleted', {}],
      ['settings-global', 'ContentChanged', { content: { hero: null } }],
    ];
    expect(await check(...facts, ...after)).toMatchObject({ looked: 6, wrong: 0 });
  });

  test('are told one by one up to a bound, and counted', async () => {
    const [file] = [await stored()];
    const facts = Array.from({ length: 130 }, (_, n) =>
      asked({ ...file, fileId: String(n).padStart(35, '0'), bytes: fileLimits.bytes }),
    );
    const { looked, wrong, complaints } = await check(...facts);
    expect([looked, wrong, complaints.length]).toEqual([130, 130, 100]);
  });
});

test('what is no file’s id is none', () => {
  expect(
    filesNamedIn({ type: 'ProductCreated', data: { image: '../log', recommendedImages: [7] } }).size,
  ).toBe(0);
  expect(filesNamedIn({ type: 'ProfileImageChanged', data: { image: { fileId: 'x' } } }).size).toBe(0);
});
