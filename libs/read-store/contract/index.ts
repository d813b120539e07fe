import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionOf } from '#kernel';
import {
  buildName,
  checkpointStart,
  idIndex,
  type Build,
  type Checkpoint,
  type Collection,
  type Document,
  type ListQuery,
  type ReadStore,
} from '#read-store';

export { describeLanes, type LanesFixture } from './lanes.js';

/** What a test needs of an adapter: a store, and a way to stop it and open it again on the same data. */
export type ReadStoreFixture = {
  readonly open: () => Promise<ReadStore>;
  /** Called with the store that is open; answers with a new one over the same data. */
  readonly reopen: (store: ReadStore) => Promise<ReadStore>;
  readonly cleanUp: () => Promise<void>;
};

const ROWS = 60;
let collections = 0;

/** A collection that no other test of this run uses. */
function freshCollection(version = 1): Collection {
  const letters = [...String(collections++)].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('');
  return {
    name: `contract-${letters}`,
    version,
    indexes: [
      { name: 'created', equals: [], order: ['created'] },
      { name: 'kind', equals: ['kind'], order: ['created'] },
      { name: 'kindColour', equals: ['colour', 'kind'], order: ['created', 'note'] },
      { name: 'filtered', equals: ['kind'], order: ['created'], filters: ['colour', 'note'] },
      { name: 'owner', equals: ['owner'], order: ['created'], sparse: true },
      { name: 'byId', equals: ['kind'], order: [] },
    ],
  };
}

/** A place in a log whose positions are not counted in ones. */
function checkpointOf(position: number): Checkpoint {
  return { position: positionOf(position), ordinal: Math.ceil(position / 3) };
}

function documentOf(id: string, position: number, fields: Partial<Document> = {}): Document {
  return {
    colour: 'red',
    created: '2026',
    id,
    kind: 'a',
    note: 'x',
    position: positionOf(position),
    ...fields,
  };
}

/** Documents whose order fields have many ties, so that keysets are tried where they are hard. */
function rows(count: number): readonly Document[] {
  return Array.from({ length: count }, (_, n) =>
    documentOf(`id-${(n * 37) % count}`, n + 1, {
      colour: n % 2 === 0 ? 'red' : 'blue',
      created: `2026-0${n % 3}`,
      kind: 'abc'.charAt(n % 3),
      note: `note ${n % 4}`,
      ...(n % 5 === 0 ? { owner: `owner ${n % 2}` } : {}),
    }),
  );
}

/** The promises of the read store port, run against an adapter. */
export function describeReadStore(name: string, fixture: () => Promise<ReadStoreFixture>): void {
  describe(`read store contract: ${name}`, () => {
    let engine: ReadStoreFixture;
    let store: ReadStore;

    beforeAll(async () => {
      engine = await fixture();
      store = await engine.open();
    });
    afterAll(async () => {
      await store.close();
      await engine.cleanUp();
    });

    const put = (
      build: Build,
      checkpoint: number,
      documents: readonly Document[],
      remove: readonly string[] = [],
    ) => store.write([{ build, checkpoint: checkpointOf(checkpoint), put: documents, remove }]);

    const activeWith = async (documents: readonly Document[], how = { bulk: true }) => {
      const collection = freshCollection();
      const build = await store.begin(collection, how);
      await put(build, 100, documents);
      await store.activate(build);
      return { collection, build };
    };

    const stateOf = async (build: Build) =>
      (await store.builds()).find((one) => buildName(one.build) === buildName(build));

    describe('documents', () => {
      test('come back as they were written, by id', async () => {
        const document = documentOf('one', 7, {
          note: 'ünïcödé \u2028 "quoted" \\ 金',
          nested: { list: [1, null, { deep: true }], empty: {} },
        });
        const { collection } = await activeWith([document]);
        expect(await store.get(collection.name, 'one')).toEqual(document);
        expect(await store.get(collection.name, 'other')).toBeUndefined();
      });

      test('come back in the order asked for, without those that there are not', async () => {
        const { collection, build } = await activeWith([
          documentOf('a', 1),
          documentOf('b', 2),
          documentOf('c', 3),
        ]);
        const ids = (documents: readonly Document[]) => documents.map(({ id }) => id);
        expect(ids(await store.getMany(collection.name, ['c', 'no', 'a']))).toEqual(['c', 'a']);
        expect(ids(await store.read(build, ['b', 'no', 'c'])).toSorted()).toEqual(['b', 'c']);
        expect(await store.getMany(collection.name, [])).toEqual([]);
      });

      test('are replaced whole, and removed', async () => {
        const { collection, build } = await activeWith([
          documentOf('a', 1, { extra: 1 }),
          documentOf('b', 2),
        ]);
        await put(build, 101, [documentOf('a', 101, { kind: 'z' })], ['b', 'never there']);
        expect(await store.get(collection.name, 'a')).toEqual(documentOf('a', 101, { kind: 'z' }));
        expect(await store.get(collection.name, 'b')).toBeUndefined();
        const listed = await store.list(collection.name, {
          index: 'kind',
          equals: { kind: 'z' },
          direction: 'ascending',
          limit: 10,
        });
        expect(listed.map(({ id }) => id)).toEqual(['a']);
      });

      test('and checkpoint are written together', async () => {
        const { collection, build } = await activeWith([documentOf('a', 1)]);
        expect(await store.checkpoint(collection.name)).toEqual({ position: '100', ordinal: 34 });
        await put(build, 200, [documentOf('a', 150)]);
        expect(await store.checkpoint(collection.name)).toEqual({ position: '200', ordinal: 67 });
        expect((await stateOf(build))?.checkpoint).toEqual({ position: '200', ordinal: 67 });
      });

      test('without a checkpoint leave it where it is', async () => {
        const { collection, build } = await activeWith([]);
        await store.write([{ build, put: [documentOf('a', 100)], remove: [] }]);
        expect((await store.checkpoint(collection.name)).position).toBe('100');
        expect(await store.get(collection.name, 'a')).toEqual(documentOf('a', 100));
      });

      test('of several builds are written in one go', async () => {
        const [one, two] = [await activeWith([]), await activeWith([])];
        await store.write([
          { build: one.build, checkpoint: checkpointOf(101), put: [documentOf('a', 101)], remove: [] },
          { build: two.build, checkpoint: checkpointOf(101), put: [documentOf('b', 101)], remove: [] },
        ]);
        expect(await store.get(one.collection.name, 'a')).toBeDefined();
        expect(await store.get(two.collection.name, 'b')).toBeDefined();
      });

      test('can be written again, and by a writer that was overtaken to no effect', async () => {
        const { collection, build } = await activeWith([documentOf('a', 50)]);
        await put(build, 300, [documentOf('a', 300, { kind: 'new' })]);
        await put(build, 300, [documentOf('a', 300, { kind: 'new' })]);
        await put(build, 299, [documentOf('a', 299, { kind: 'old' })]);
        expect(await store.get(collection.name, 'a')).toEqual(documentOf('a', 300, { kind: 'new' }));
        expect((await store.checkpoint(collection.name)).position).toBe('300');
      });

      test.each([
        ['a document without an indexed field', { kind: undefined }],
        ['a document with another thing than a text in one', { kind: 7 }],
        ['a number that is not whole', { note: 'x', half: 0.5 }],
      ])('refuses %s, and writes nothing', async (_, fields) => {
        const { collection, build } = await activeWith([]);
        const bad = documentOf('bad', 101, fields);
        await expect(put(build, 101, [documentOf('good', 101), bad])).rejects.toThrow();
        expect((await store.checkpoint(collection.name)).position).toBe('100');
        expect(await store.get(collection.name, 'good')).toBeUndefined();
      });
    });

    describe('lists', () => {
      const all = rows(ROWS);
      const order: Readonly<Record<string, readonly string[]>> = {
        [idIndex]: ['id'],
        created: ['created', 'id'],
        kind: ['created', 'id'],
        kindColour: ['created', 'note', 'id'],
        filtered: ['created', 'id'],
        owner: ['created', 'id'],
        byId: ['id'],
      };
      const keyOf = (document: Document, index: string) =>
        (order[index] ?? []).map((field) => String(document[field]));
      const expected = ({ index, equals, direction, from, to }: ListQuery) => {
        const wanted = all.filter((document) => {
          const [key = ''] = keyOf(document, index);
          const isWithin = (from === undefined || key >= from) && (to === undefined || key < to);
          return isWithin && Object.entries(equals).every(([field, value]) => document[field] === value);
        });
        const sorted = wanted.toSorted((a, b) =>
          keyOf(a, index).join('\n') < keyOf(b, index).join('\n') ? -1 : 1,
        );
        return direction === 'ascending' ? sorted : sorted.toReversed();
      };

      test.each([true, false])('concatenated pages are the whole list (bulk: %s)', async (bulk) => {
        const { collection } = await activeWith(all, { bulk });
        const queries = fc.record({
          choice: fc.constantFrom(
            { index: idIndex, equals: {} },
            { index: 'created', equals: {} },
            { index: 'kind', equals: { kind: 'b' } },
            { index: 'kind', equals: { kind: 'nothing' } },
            { index: 'kindColour', equals: { kind: 'c', colour: 'red' } },
            { index: 'filtered', equals: { kind: 'a' } },
            { index: 'filtered', equals: { kind: 'a', note: 'note 2' } },
            { index: 'filtered', equals: { note: 'note 1', kind: 'b', colour: 'blue' } },
            { index: 'owner', equals: { owner: 'owner 1' } },
            { index: 'owner', equals: { owner: 'owner 2' } },
            { index: 'byId', equals: { kind: 'a' } },
            { index: 'created', equals: {}, from: '2026-01' },
            { index: 'created', equals: {}, from: '2026-00', to: '2026-01' },
            { index: 'created', equals: {}, from: '2026-02', to: '2026-01' },
            { index: 'kind', equals: { kind: 'b' }, to: '2026-02' },
            { index: 'filtered', equals: { kind: 'a', colour: 'red' }, from: '2026-00', to: '2026-02' },
            { index: 'owner', equals: { owner: 'owner 0' }, from: '2026-01', to: '2026-03' },
            { index: 'byId', equals: { kind: 'c' }, from: 'id-2', to: 'id-5' },
            { index: idIndex, equals: {}, from: 'id-1', to: 'id-3' },
          ),
          direction: fc.constantFrom('ascending' as const, 'descending' as const),
          limit: fc.integer({ min: 1, max: ROWS + 1 }),
        });
        await fc.assert(
          fc.asyncProperty(queries, async ({ choice, direction, limit }) => {
            const query: ListQuery = { ...choice, direction, limit };
            const listed: Document[] = [];
            for (let isLast = false; !isLast;) {
              const last = listed.at(-1);
              const after = last && { after: keyOf(last, query.index) };
              const page = await store.list(collection.name, { ...query, ...after });
              const keys = await store.keys(collection.name, { ...query, ...after });
              expect(keys).toEqual(page.map((document) => keyOf(document, query.index)));
              listed.push(...page);
              isLast = page.length < limit;
            }
            expect(listed).toEqual(expected(query));
          }),
          { numRuns: 80 },
        );
      });

      test.each(['ascending', 'descending'] as const)(
        'a page never leaves its bounds (%s)',
        async (direction) => {
          const { collection } = await activeWith(all);
          const within: ListQuery = {
            index: 'created',
            equals: {},
            direction,
            from: '2026-01',
            to: '2026-02',
            limit: ROWS,
          };
          const places = ['2026-00', '2026-01', '2026-02'].map((created) => [created, 'id-3']);
          for (const after of places) {
            const listed = await store.list(collection.name, { ...within, after });
            const isPast = (document: Document) => {
              const [a, b] = [keyOf(document, 'created').join(), after.join()];
              return direction === 'ascending' ? a > b : a < b;
            };
            expect(listed).toEqual(expected(within).filter(isPast));
          }
        },
      );

      test('every index has a document where it is now, whichever of its fields changed and how often', async () => {
        const { collection, build } = await activeWith([]);
        const one = (...texts: readonly string[]) => fc.constantFrom(...texts);
        const fields = fc.record(
          {
            colour: one('red', 'blue'),
            created: one('2025', '2026'),
            kind: one('a', 'b'),
            note: one('x', 'y'),
            owner: one('anna', 'boris'),
          },
          { requiredKeys: ['colour', 'created', 'kind', 'note'] },
        );
        let position = 100;
        const now = new Map<string, Document>();
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.tuple(one('p', 'q', 'r'), fields), { maxLength: 8 }),
            async (changes) => {
              for (const [id, changed] of changes) {
                position += 1;
                const document = documentOf(id, position, changed);
                await put(build, position, [document]);
                now.set(id, document);
              }
              for (const { name, equals, order, sparse } of collection.indexes) {
                for (const like of now.values()) {
                  if (sparse === true && equals.some((field) => like[field] === undefined)) continue;
                  const texts = (document: Document) =>
                    [...order, 'id'].map((field) => String(document[field]));
                  const expected = [...now.values()]
                    .filter((document) => equals.every((field) => document[field] === like[field]))
                    .toSorted((a, b) => (texts(a).join() < texts(b).join() ? -1 : 1));
                  const query = {
                    index: name,
                    equals: Object.fromEntries(equals.map((field) => [field, String(like[field])])),
                    direction: 'ascending',
                    limit: 10,
                  } as const;
                  expect(await store.list(collection.name, query)).toEqual(expected);
                  expect(await store.keys(collection.name, query)).toEqual(expected.map(texts));
                }
              }
            },
          ),
          { numRuns: 40 },
        );
      });

      test('a sparse index lists a document while it has the field', async () => {
        const { collection, build } = await activeWith([]);
        const owned = async () => {
          const query = {
            index: 'owner',
            equals: { owner: 'ann' },
            direction: 'ascending',
            limit: 9,
          } as const;
          return (await store.list(collection.name, query)).map(({ id }) => id);
        };
        await put(build, 101, [documentOf('a', 101), documentOf('b', 101, { owner: 'ann' })]);
        expect(await owned()).toEqual(['b']);
        await put(build, 102, [
          documentOf('a', 102, { owner: 'ann' }),
          documentOf('b', 102, { owner: 'bob' }),
        ]);
        expect(await owned()).toEqual(['a']);
        await put(build, 103, [documentOf('a', 103)]);
        expect(await owned()).toEqual([]);
        expect(await store.get(collection.name, 'a')).toEqual(documentOf('a', 103));
      });

      test.each<[string, ListQuery]>([
        ['an index that was not declared', { index: 'no', equals: {}, direction: 'ascending', limit: 1 }],
        [
          'a field that is not the index’s',
          { index: 'kind', equals: { id: 'x' }, direction: 'ascending', limit: 1 },
        ],
        ['filters alone', { index: 'filtered', equals: { note: 'x' }, direction: 'ascending', limit: 1 }],
        ['a field too few', { index: 'kindColour', equals: { kind: 'a' }, direction: 'ascending', limit: 1 }],
        [
          'a place of another index',
          { index: idIndex, equals: {}, direction: 'ascending', after: ['a', 'b'], limit: 1 },
        ],
        ['more than a page', { index: idIndex, equals: {}, direction: 'ascending', limit: 1_001 }],
        ['no rows', { index: idIndex, equals: {}, direction: 'ascending', limit: 0 }],
      ])('refuse %s', async (_, query) => {
        const { collection } = await activeWith([]);
        await expect(store.list(collection.name, query)).rejects.toThrow();
      });
    });

    describe('builds', () => {
      test('are not seen by queries before they are active', async () => {
        const collection = freshCollection();
        const build = await store.begin(collection, { bulk: true });
        await put(build, 5, [documentOf('a', 5)]);
        await expect(store.get(collection.name, 'a')).rejects.toMatchObject({ code: 'unavailable' });
        expect(await stateOf(build)).toEqual({
          build,
          indexes: collection.indexes,
          state: 'building',
          isIndexed: expect.any(Boolean),
          checkpoint: checkpointOf(5),
        });
        await store.activate(build);
        expect(await stateOf(build)).toMatchObject({ state: 'active', isIndexed: true });
        expect(await store.get(collection.name, 'a')).toEqual(documentOf('a', 5));
      });

      test('begin empty, at the start of the log, with a number of their own', async () => {
        const collection = freshCollection();
        const one = await store.begin(collection, { bulk: true });
        const two = await store.begin(collection, { bulk: false });
        expect(two.number).toBeGreaterThan(one.number);
        expect(await stateOf(two)).toMatchObject({ checkpoint: checkpointStart, isIndexed: true });
        expect(await store.read(two, ['a'])).toEqual([]);
      });

      test.each([1, 2])(
        'swap in one step and leave the old one to be removed (to version %i)',
        async (version) => {
          const { collection, build } = await activeWith(rows(ROWS));
          const next = await store.begin({ ...collection, version }, { bulk: false });
          await put(next, 7, [documentOf('id-1', 7, { kind: 'new' })]);
          expect(await store.get(collection.name, 'id-1')).not.toEqual(
            documentOf('id-1', 7, { kind: 'new' }),
          );
          await store.activate(next);
          expect(await store.get(collection.name, 'id-1')).toEqual(documentOf('id-1', 7, { kind: 'new' }));
          expect(await store.get(collection.name, 'id-2')).toBeUndefined();
          expect((await store.checkpoint(collection.name)).position).toBe('7');
          expect((await stateOf(build))?.state).toBe('retired');
          while (!(await store.discard(build))) expect((await stateOf(build))?.state).toBe('retired');
          expect(await stateOf(build)).toBeUndefined();
          expect(await store.discard(build)).toBe(true);
          expect(await store.get(collection.name, 'id-1')).toBeDefined();
        },
      );

      test('are retired with none in their place until another is active, also over a stop', async () => {
        const { collection, build } = await activeWith(rows(ROWS));
        const next = await store.begin({ ...collection, version: 2 }, { bulk: false });
        await store.retire(build);
        store = await engine.reopen(store);
        expect((await stateOf(build))?.state).toBe('retired');
        await expect(store.get(collection.name, 'id-1')).rejects.toMatchObject({ code: 'unavailable' });
        await store.activate(next);
        expect(await store.get(collection.name, 'id-1')).toBeUndefined();
        while (!(await store.discard(build))) expect((await stateOf(build))?.state).toBe('retired');
        expect(await stateOf(build)).toBeUndefined();
      });

      test('are retired while they are made, and what is read stays', async () => {
        const { collection, build } = await activeWith(rows(ROWS));
        const next = await store.begin({ ...collection, version: 2 }, { bulk: true });
        await put(next, 3, [documentOf('id-1', 3)]);
        await store.retire(next);
        store = await engine.reopen(store);
        expect((await stateOf(next))?.state).toBe('retired');
        expect((await stateOf(build))?.state).toBe('active');
        while (!(await store.discard(next)));
        expect(await store.get(collection.name, 'id-1')).toBeDefined();
      });

      test('are removed a part at a time, and never while queries read them', async () => {
        const { build } = await activeWith([]);
        await expect(store.discard(build)).rejects.toThrow();
        const collection = freshCollection();
        const large = await store.begin(collection, { bulk: true });
        await put(large, 9, rows(5_000));
        expect(await store.discard(large)).toBe(false);
        while (!(await store.discard(large))) expect((await stateOf(large))?.state).toBe('retired');
        expect(await stateOf(large)).toBeUndefined();
      });

      test('of documents that are each put once are as all others from their activation on', async () => {
        const collection = freshCollection();
        const build = await store.begin(collection, { bulk: true, writesOnce: true });
        await put(build, 5, [documentOf('b', 1), documentOf('a', 2)]);
        store = await engine.reopen(store);
        await put(build, 7, [documentOf('c', 7)]);
        // Nobody heard that it was written, so it is written again.
        await put(build, 7, [documentOf('c', 7)]);
        await store.activate(build);
        const asked = { index: idIndex, equals: {}, direction: 'ascending', limit: 10 } as const;
        const ids = async () => (await store.list(collection.name, asked)).map(({ id }) => id);
        expect(await ids()).toEqual(['a', 'b', 'c']);
        await put(build, 9, [documentOf('a', 9, { kind: 'z' })], ['b']);
        expect(await ids()).toEqual(['a', 'c']);
        expect(await store.get(collection.name, 'a')).toEqual(documentOf('a', 9, { kind: 'z' }));
      });

      test('outlive a stop', async () => {
        const { collection, build } = await activeWith(rows(ROWS));
        const beside = await store.begin({ ...collection, version: 2 }, { bulk: false });
        await put(beside, 33, [documentOf('a', 33)]);
        const before = await store.builds();
        store = await engine.reopen(store);
        expect(await store.builds()).toEqual(before);
        expect(await store.get(collection.name, 'id-3')).toBeDefined();
        expect(await store.read(beside, ['a'])).toEqual([documentOf('a', 33)]);
        await put(build, 101, [documentOf('b', 101)]);
        expect(await store.get(collection.name, 'b')).toBeDefined();
      });
    });
  });
}
