import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mayBeNamed, purposeRules, sweepUnreferenced, type FileMetadata, type FileStore } from '#files';

const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const HOUR = 60 * 60_000;
const { unnamedMs: UNNAMED_MS } = purposeRules.evidence;

/** A store that knows its list only. */
function storeOf(ages: readonly number[]) {
  const files = new Map(
    ages.map((age, n): [string, FileMetadata] => {
      const fileId = String(n).padStart(35, '0');
      const createdAt = new Date(NOW - age).toISOString();
      return [
        fileId,
        {
          fileId,
          ownerId: 'ann',
          purpose: 'evidence',
          mediaType: 'image/webp',
          bytes: 1,
          sha256: '',
          createdAt,
        },
      ];
    }),
  );
  const unused = () => Promise.reject(new Error('nobody calls this'));
  const store: FileStore = {
    put: unused,
    copy: () => Promise.reject(new Error('nothing is copied here')),
    open: unused,
    stat: unused,
    usage: unused,
    platform: async () => undefined,
    claim: unused,
    close: unused,
    sweep: unused,
    list: ({ after = '', limit }) =>
      Promise.resolve([...files.values()].filter(({ fileId }) => fileId > after).slice(0, limit)),
    delete: (fileId) => Promise.resolve(files.delete(fileId)),
  };
  return { store, ids: () => [...files.keys()] };
}

describe('the sweep', () => {
  test('deletes what is old and named by nothing, and nothing else', async () => {
    const ages = fc.array(fc.record({ age: fc.integer({ min: 0, max: 60 * HOUR }), isNamed: fc.boolean() }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(ages, async (given) => {
        const { store, ids } = storeOf(given.map(({ age }) => age));
        const all = ids();
        const named = new Set(all.filter((_, n) => given[n]?.isNamed));
        const { next } = await sweepUnreferenced({
          store,
          clock: () => NOW,
          referenced: () => Promise.resolve(named),
        });
        const kept = all.filter((_, n) => given[n]?.isNamed || (given[n]?.age ?? 0) < UNNAMED_MS + HOUR);
        expect(ids()).toEqual(kept);
        expect(next).toBeUndefined();
      }),
    );
  });

  test('never asks about a file that may still be named for the first time', async () => {
    const { store } = storeOf([0, UNNAMED_MS - 1, UNNAMED_MS, UNNAMED_MS + HOUR - 1]);
    const asked: FileMetadata[] = [];
    const referenced = (files: readonly FileMetadata[]) => {
      asked.push(...files);
      return Promise.resolve(new Set<string>());
    };
    await sweepUnreferenced({ store, clock: () => NOW, referenced });
    expect(asked.filter((file) => mayBeNamed(file, NOW))).toEqual([]);
    await sweepUnreferenced({ store, clock: () => NOW + 1, referenced });
    expect(asked).toHaveLength(1);
  });

  test('stops after a bounded number of files and goes on where it stopped', async () => {
    const { store, ids } = storeOf(Array<number>(50_010).fill(48 * HOUR));
    const options = { store, clock: () => NOW, referenced: () => Promise.resolve(new Set<string>()) };
    const first = await sweepUnreferenced(options);
    expect([first.deleted, ids().length]).toEqual([50_000, 10]);
    const second = await sweepUnreferenced({ ...options, after: first.next });
    expect([second.deleted, second.next, ids().length]).toEqual([10, undefined, 0]);
  });

  test('goes on past files that can not be deleted, until there are too many, and tries them another time', async () => {
    const { store, ids } = storeOf(Array<number>(30).fill(48 * HOUR));
    const all = ids();
    let stuck = new Set(all.slice(3, 5));
    const failing: FileStore = {
      ...store,
      delete: (fileId) =>
        stuck.has(fileId) ? Promise.reject(new Error('it is not to be deleted')) : store.delete(fileId),
    };
    const options = {
      store: failing,
      clock: () => NOW,
      referenced: () => Promise.resolve(new Set<string>()),
    };
    expect(await sweepUnreferenced(options)).toEqual({ deleted: 28, failed: 2, next: undefined });
    expect(ids()).toEqual([...stuck]);
    stuck = new Set();
    expect(await sweepUnreferenced(options)).toEqual({ deleted: 2, failed: 0, next: undefined });

    const { store: other, ids: left } = storeOf(Array<number>(30).fill(48 * HOUR));
    const broken = { ...other, delete: () => Promise.reject(new Error('nothing is to be deleted')) };
    const { next, ...first } = await sweepUnreferenced({ ...options, store: broken });
    expect([first, next]).toEqual([{ deleted: 0, failed: 10 }, left()[9]]);
    expect(await sweepUnreferenced({ ...options, store: other, after: next })).toMatchObject({ deleted: 20 });
  });

  test('deletes nothing when it can not be said what is named', async () => {
    const { store, ids } = storeOf([48 * HOUR]);
    const referenced = () => Promise.reject(new Error('no read model'));
    await expect(sweepUnreferenced({ store, clock: () => NOW, referenced })).rejects.toThrow('no read model');
    expect(ids()).toHaveLength(1);
  });
});
