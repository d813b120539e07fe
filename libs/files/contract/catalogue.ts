import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  catalogueLimits,
  purposeRules,
  type CatalogueEntry,
  type FileCatalogue,
  type FileMetadata,
  type FileState,
} from '#files';

/** What a test needs of an adapter: catalogues over the same data, which is empty at first. */
export type FileCatalogueFixture = {
  /** Answers each time with another one, as another program would have it. */
  readonly open: () => Promise<FileCatalogue>;
  readonly cleanUp: () => Promise<void>;
};

const OWNER = { ownerId: 'ann', purpose: 'evidence' } as const;
const STATES: readonly FileState[] = ['pending', 'stored', 'deleting', 'abandoned'];
const idOf = (n: number) => String(n).padStart(35, '0');

function fileOf(n: number, more: Partial<FileMetadata> = {}): FileMetadata {
  return {
    ...OWNER,
    fileId: idOf(n),
    mediaType: 'application/pdf',
    bytes: 100 + n,
    sha256: 'ab'.repeat(32),
    createdAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

/** The promises of the catalogue's port, run against an adapter. */
export function describeFileCatalogue(name: string, fixture: () => Promise<FileCatalogueFixture>): void {
  describe(`file catalogue contract: ${name}`, () => {
    let engine: FileCatalogueFixture;
    let catalogue: FileCatalogue;
    let other: FileCatalogue;
    beforeEach(async () => {
      engine = await fixture();
      catalogue = await engine.open();
      other = await engine.open();
    });
    afterEach(async () => {
      await Promise.all([catalogue.close(), other.close()]);
      await engine.cleanUp();
    });

    /** Adds a file and takes it to a state, where it stands since `since`. */
    async function added(file: FileMetadata, state: FileState, since = 7): Promise<CatalogueEntry> {
      await catalogue.reserve(file, since);
      if (state === 'stored' || state === 'deleting') await catalogue.markStored(file.fileId, since);
      if (state === 'deleting') await catalogue.markDeleting(file.fileId, since);
      if (state === 'abandoned') await catalogue.abandon(file.fileId, since);
      return { file, state, since };
    }
    const stateOf = async (fileId: string) => (await catalogue.get(fileId))?.state;

    test.each(STATES)(
      'an entry comes back as it was written, to whoever has the catalogue: %s',
      async (state) => {
        const entry = await added(
          fileOf(1, { purpose: 'profile-image', mediaType: 'image/webp' }),
          state,
          1_234,
        );
        expect(await catalogue.get(idOf(1))).toEqual(entry);
        expect(await other.get(idOf(1))).toEqual(entry);
        expect(await catalogue.get(idOf(2))).toBeUndefined();
      },
    );

    test('an id is there once', async () => {
      for (const [n, state] of STATES.entries()) {
        const entry = await added(fileOf(n), state);
        await expect(other.reserve(fileOf(n, { ownerId: 'bob' }), 9)).rejects.toMatchObject({
          code: 'conflict',
        });
        expect(await catalogue.get(idOf(n))).toEqual(entry);
      }
    });

    test('moves go the way they may go, and no other', async () => {
      const moves = {
        stored: (id: string) => catalogue.markStored(id, 9),
        abandon: (id: string) => catalogue.abandon(id, 9),
        delete: (id: string) => catalogue.markDeleting(id, 9),
        remove: (id: string) => catalogue.remove(id),
      };
      const expected: readonly (readonly [
        FileState,
        keyof typeof moves,
        answer: unknown,
        FileState | undefined,
      ])[] = [
        ['pending', 'stored', true, 'stored'],
        ['stored', 'stored', false, 'stored'],
        ['deleting', 'stored', false, 'deleting'],
        ['abandoned', 'stored', false, 'abandoned'],
        ['pending', 'abandon', true, 'abandoned'],
        ['stored', 'abandon', false, 'stored'],
        ['deleting', 'abandon', false, 'deleting'],
        ['abandoned', 'abandon', false, 'abandoned'],
        ['pending', 'delete', 'pending', 'abandoned'],
        ['stored', 'delete', 'stored', 'deleting'],
        ['deleting', 'delete', 'deleting', 'deleting'],
        ['abandoned', 'delete', 'abandoned', 'abandoned'],
        ['pending', 'remove', undefined, 'pending'],
        ['stored', 'remove', undefined, 'stored'],
        ['deleting', 'remove', undefined, undefined],
        ['abandoned', 'remove', undefined, undefined],
      ];
      for (const [n, [from, move, answer, to]] of expected.entries()) {
        await added(fileOf(n), from);
        expect([from, move, await moves[move](idOf(n)), await stateOf(idOf(n))]).toEqual([
          from,
          move,
          answer,
          to,
        ]);
        const isMoved = to !== undefined && to !== from;
        expect((await catalogue.get(idOf(n)))?.since).toBe(to === undefined ? undefined : isMoved ? 9 : 7);
      }
    });

    test('of what is not there nothing is said, and nothing is done to it', async () => {
      expect([
        await catalogue.markStored(idOf(1), 9),
        await catalogue.abandon(idOf(1), 9),
        await catalogue.markDeleting(idOf(1), 9),
      ]).toEqual([false, false, undefined]);
      await catalogue.remove(idOf(1));
      expect(await catalogue.get(idOf(1))).toBeUndefined();
    });

    test('of two that move a file at once, one does', async () => {
      for (let n = 0; n < 20; n += 1) {
        await added(fileOf(n), 'pending');
        const [stored, abandoned] = await Promise.all([
          catalogue.markStored(idOf(n), 8),
          other.abandon(idOf(n), 9),
        ]);
        expect(stored).not.toBe(abandoned);
        expect(await stateOf(idOf(n))).toBe(stored ? 'stored' : 'abandoned');
      }
    });

    test('what is pending or stored counts, of its owner and purpose', async () => {
      expect(await catalogue.usage(OWNER)).toEqual({ files: 0, bytes: 0 });
      for (const [n, state] of STATES.entries()) await added(fileOf(n), state);
      await added(fileOf(10, { ownerId: 'bob' }), 'stored');
      await added(fileOf(11, { purpose: 'profile-image' }), 'stored');
      expect(await other.usage(OWNER)).toEqual({ files: 2, bytes: 100 + 101 });
    });

    test('a person reserves as much as the quota says, by whatever way', async () => {
      const { files } = purposeRules['profile-image'].quota;
      const own = (n: number) => fileOf(n, { purpose: 'profile-image' });
      const results = await Promise.allSettled(
        Array.from({ length: files + 3 }, (_, n) => (n % 2 === 0 ? catalogue : other).reserve(own(n), 7)),
      );
      const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(refusals).toEqual(Array(3).fill(expect.objectContaining({ code: 'quota_exceeded' })));
      const kept = await catalogue.list({ limit: 100 });
      expect(kept).toHaveLength(files);
      await catalogue.markDeleting(kept[0]?.fileId ?? '', 8);
      await catalogue.reserve(own(100), 9);
      await expect(catalogue.reserve(own(101), 9)).rejects.toMatchObject({ code: 'quota_exceeded' });
      await expect(
        catalogue.reserve(
          { ...own(102), ownerId: 'bob', bytes: purposeRules['profile-image'].quota.bytes + 1 },
          9,
        ),
      ).rejects.toMatchObject({ code: 'quota_exceeded' });
    });

    test('all but what is abandoned is listed by id, page by page, of all or of one person', async () => {
      const listed: FileMetadata[] = [];
      for (let n = 9; n >= 0; n -= 1) {
        const file = fileOf(n, { ownerId: n % 3 === 0 ? 'bob' : 'ann' });
        const state = STATES[n % 4] ?? 'pending';
        await added(file, state);
        if (state !== 'abandoned') listed.unshift(file);
      }
      const own = listed.filter(({ ownerId }) => ownerId === 'ann');
      expect(await catalogue.list({ limit: 100 })).toEqual(listed);
      expect(await catalogue.list({ limit: 2 })).toEqual(listed.slice(0, 2));
      expect(await catalogue.list({ limit: 100, after: listed[1]?.fileId ?? '' })).toEqual(listed.slice(2));
      expect(await catalogue.list({ limit: 2, after: own[0]?.fileId ?? '', ownerId: 'ann' })).toEqual(
        own.slice(1, 3),
      );
      expect(await catalogue.list({ limit: 100, ownerId: 'an' })).toEqual([]);
    });

    test('what is stored is listed alone where that is asked for', async () => {
      for (const [n, state] of STATES.entries()) {
        await added(fileOf(n), state);
        await added(fileOf(n + 10, { ownerId: 'bob' }), state);
      }
      const at = STATES.indexOf('stored');
      const expected = [fileOf(at), fileOf(at + 10, { ownerId: 'bob' })];
      expect(await catalogue.list({ limit: 100, storedOnly: true })).toEqual(expected);
      expect(await catalogue.list({ limit: 100, storedOnly: true, ownerId: 'bob' })).toEqual([expected[1]]);
    });

    test('what stands still is told, the oldest first, and nothing that is stored', async () => {
      await added(fileOf(1), 'stored', 1);
      const [deleting, pending, abandoned] = [
        await added(fileOf(2), 'deleting', 30),
        await added(fileOf(3), 'pending', 20),
        await added(fileOf(4), 'abandoned', 40),
      ];
      expect(await catalogue.stale(20)).toEqual([]);
      expect(await catalogue.stale(21)).toEqual([pending]);
      expect(await other.stale(100)).toEqual([pending, deleting, abandoned]);
    });

    test('what stands still is told a bounded number at a time', async () => {
      const count = catalogueLimits.stale + 1;
      for (let n = 0; n < count; n += 1) await added(fileOf(n), 'abandoned', n);
      expect((await catalogue.stale(count)).map(({ since }) => since)).toEqual(
        Array.from({ length: catalogueLimits.stale }, (_, n) => n),
      );
    });

    test('what stands still is told on from an entry, also from one that is gone', async () => {
      const entries = [];
      for (const [n, since] of [30, 20, 20, 10].entries())
        entries.unshift(await added(fileOf(n), 'abandoned', since));
      const [oldest, ...others] = entries.toSorted(
        (a, b) => a.since - b.since || Number(a.file.fileId) - Number(b.file.fileId),
      );
      expect(await catalogue.stale(100, oldest)).toEqual(others);
      const [next = oldest, ...last] = others;
      expect(await other.stale(100, next)).toEqual(last);
      expect(await catalogue.stale(30, next)).toEqual(last.slice(0, 1));
      await catalogue.remove(next?.file.fileId ?? '');
      expect(await catalogue.stale(100, next)).toEqual(last);
    });

    test('it is of the platform that took it first, to whoever has it', async () => {
      await catalogue.claim('one');
      await other.claim('one');
      await expect(other.claim('another')).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringMatching(/ belongs to the platform one, and the log to the platform another: /),
      });
    });

    test('a restart keeps everything', async () => {
      const entries = [];
      for (const [n, state] of STATES.entries()) entries.push(await added(fileOf(n), state));
      await Promise.all([catalogue.close(), other.close()]);
      [catalogue, other] = [await engine.open(), await engine.open()];
      for (const entry of entries) expect(await catalogue.get(entry.file.fileId)).toEqual(entry);
    });
  });
}
