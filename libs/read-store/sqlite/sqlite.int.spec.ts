import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { positionOf } from '#kernel';
import { buildName, type Collection, type Discarded, type Document, type ReadStore } from '#read-store';
import { describeReadStore } from '#read-store/contract';
import {
  openSqliteReadStore,
  openSqliteReadStoreReader,
  openSqliteReadStoreSnapshot,
} from '#read-store/sqlite';
import { asPortError } from './file.js';

function scratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'lode-read-store-'));
}

describeReadStore('sqlite', async () => {
  const folder = scratchFolder();
  const open = async () => openSqliteReadStore({ file: join(folder, 'read-models.sqlite') });
  return {
    open,
    reopen: async (store) => {
      await store.close();
      return open();
    },
    cleanUp: async () => {
      rmSync(folder, { recursive: true });
    },
  };
});

const things: Collection = {
  name: 'things',
  version: 1,
  indexes: [{ name: 'kind', equals: ['kind'], order: ['created'], filters: ['tone'] }],
};

function thing(n: number): Document {
  return {
    created: String(n).padStart(6, '0'),
    id: `t${n}`,
    kind: n % 2 ? 'odd' : 'even',
    tone: 'plain',
    position: positionOf(n),
  };
}

describe('the SQLite read store', () => {
  let folder: string;
  let file: string;
  let discarded: Discarded[];
  const open = () => openSqliteReadStore({ file, onDiscarded: (one) => discarded.push(one) });

  const fill = async (store: ReadStore, from: number, to: number) => {
    const build = await store.begin(things, { bulk: true });
    const put = Array.from({ length: to - from }, (_, n) => thing(from + n));
    await store.write([{ build, checkpoint: { position: positionOf(to), ordinal: to }, put, remove: [] }]);
    await store.activate(build);
    return build;
  };

  beforeEach(() => {
    folder = scratchFolder();
    file = join(folder, 'read-models.sqlite');
    discarded = [];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test('what was replaced is in no byte once it is overwritten, and not before nobody reads it', async () => {
    const store = open();
    const build = await store.begin({ ...things, name: 'people', indexes: [] }, { bulk: false });
    const canary = (n: number) => `canary-${n}-`;
    const ids = Array.from({ length: 900 }, () => randomUUID());
    const write = (n: number, text: string) =>
      store.write([
        {
          build,
          put: [{ id: ids[n] ?? '', position: positionOf(1), text: text.padEnd(900, '.') }],
          remove: [],
        },
      ]);
    for (const n of ids.keys()) await write(n, canary(n));
    await store.activate(build);
    const replaced = [...ids.keys()].filter((n) => n % 3 === 0);
    for (const n of replaced) await write(n, 'forgotten');
    const left = () => {
      const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
      return replaced.filter((n) => bytes.includes(canary(n)));
    };
    writeFileSync(`${file}.discarded`, canary(0));
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await expect(store.overwrite?.()).rejects.toMatchObject({ code: 'unavailable' });
    expect(left()).not.toEqual([]);
    reader.close();
    let isDone = false;
    const overwriting = store.overwrite?.().then(() => (isDone = true));
    // Whoever did it on this thread would be done by now.
    await setImmediate();
    expect(isDone).toBe(false);
    await overwriting;
    expect(left()).toEqual([]);
    expect(await store.get('people', ids[1] ?? '')).toMatchObject({ id: ids[1] });
    await store.close();
  });

  test('a reader opened before there is a file sees it come, swap and go', async () => {
    const reader = openSqliteReadStoreReader({ file });
    await expect(reader.get('things', 't1')).rejects.toMatchObject({ code: 'unavailable' });
    const store = open();
    await expect(reader.get('things', 't1')).rejects.toMatchObject({ code: 'unavailable' });
    const first = await fill(store, 0, 10);
    expect(await reader.get('things', 't1')).toEqual(thing(1));
    expect(await reader.checkpoint('things')).toEqual({ position: '10', ordinal: 10 });
    expect(await reader.builds()).toEqual(await store.builds());
    await store.retire(first);
    await expect(reader.get('things', 't1')).rejects.toMatchObject({ code: 'unavailable' });
    await fill(store, 5, 20);
    while (!(await store.discard(first)));
    expect(await reader.get('things', 't1')).toBeUndefined();
    expect((await reader.getMany('things', ['t19', 't5'])).map(({ id }) => id)).toEqual(['t19', 't5']);
    await reader.close();
    await expect(reader.get('things', 't5')).rejects.toMatchObject({ code: 'unavailable' });
    await store.close();
  });

  test('a bulk build says that it has no indexes until its activation, also over a stop', async () => {
    const store = open();
    const build = await store.begin(things, { bulk: true });
    const isIndexed = async (one: ReadStore) => (await one.builds()).map((state) => state.isIndexed);
    expect(await isIndexed(store)).toEqual([false]);
    await store.close();
    const again = open();
    expect(await isIndexed(again)).toEqual([false]);
    await again.activate(build);
    expect(await isIndexed(again)).toEqual([true]);
    await again.close();
  });

  test('a page in the middle of a long list is one search of the index', async () => {
    const store = open();
    const build = await fill(store, 0, 1_000);
    const database = new DatabaseSync(file, { readOnly: true });
    const table = `things@${build.version}.${build.number}`;
    const plan = database
      .prepare(
        `EXPLAIN QUERY PLAN SELECT document FROM "${table}" INDEXED BY "${table}/kind"
         WHERE "k_kind" = ? AND ("k_created", id) < (?, ?) ORDER BY "k_created" DESC, id DESC LIMIT ?`,
      )
      .all('odd', '000500', 't500', 10)
      .map((row) => String(row['detail']));
    expect(plan).toEqual([
      expect.stringMatching(/^SEARCH .* USING INDEX .*k_kind=\? AND \(k_created,id\)<\(\?,\?\)/),
    ]);
    database.close();
    await store.close();
  });

  test('a file that was deleted is begun anew', async () => {
    const store = open();
    await fill(store, 0, 3);
    await store.close();
    rmSync(file);
    const again = open();
    expect(await again.builds()).toEqual([]);
    expect(discarded).toEqual([]);
    await again.close();
  });

  test.each([
    [
      'that is no database',
      'damaged',
      () => {
        writeFileSync(file, 'not a database at all, '.repeat(1_000));
      },
    ],
    [
      'of a newer format',
      'another format',
      () => {
        const db = new DatabaseSync(file);
        db.exec('PRAGMA user_version = 99');
        db.close();
      },
    ],
    [
      'marked as damaged',
      'damaged',
      () => {
        writeFileSync(`${file}.damaged`, '');
      },
    ],
  ])('a file %s is moved aside and begun anew, and that is said', async (_, reason, spoil) => {
    const store = open();
    await fill(store, 0, 3);
    await store.close();
    spoil();
    const again = open();
    expect(discarded).toEqual([{ movedTo: `${file}.discarded`, reason }]);
    expect(await again.builds()).toEqual([]);
    expect(existsSync(`${file}.discarded`)).toBe(true);
    await fill(again, 0, 3);
    await again.close();
    const third = open();
    expect(discarded).toHaveLength(1);
    expect(await third.get('things', 't2')).toEqual(thing(2));
    await third.close();
  });

  test('damage that is met while it runs is said, and the next start begins anew', async () => {
    const store = open();
    await fill(store, 0, 2_000);
    await store.close();
    const bytes = readFileSync(file);
    // The second half: the catalog is in the first pages, and damage there is met on opening.
    bytes.fill(0xa5, Math.floor(bytes.length / 2 / 8_192) * 8_192);
    writeFileSync(file, bytes);
    const hurt = open();
    const ids = Array.from({ length: 2_000 }, (_, n) => `t${n}`);
    await expect(hurt.getMany('things', ids)).rejects.toMatchObject({ code: 'storage_failed' });
    await hurt.close();
    const again = open();
    expect(discarded.map(({ reason }) => reason)).toEqual(['damaged']);
    expect(await again.builds()).toEqual([]);
    await again.close();
  });

  test.each([
    ['a damaged header', () => writeFileSync(file, 'not a database at all, '.repeat(1_000))],
    ['a file that was cut short', () => truncateSync(file, 10_000)],
    ['pages that are damaged', () => writeFileSync(file, readFileSync(file).fill(0xa5, 8_192))],
    [
      'a folder in its place',
      () => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ])('a snapshot of %s is refused in the port’s words and changes nothing', async (_, spoil) => {
    const store = open();
    await fill(store, 0, 200);
    await store.close();
    spoil();
    const look = async () => {
      const snapshot = openSqliteReadStoreSnapshot({ file });
      await snapshot?.list('things', { index: 'id', equals: {}, direction: 'ascending', limit: 100 });
    };
    await expect(look()).rejects.toMatchObject({
      name: 'LodeError',
      code: expect.stringMatching(/^(storage_failed|unavailable)$/),
    });
    expect(existsSync(`${file}.damaged`)).toBe(false);
  });

  test('a database of something else is refused and left alone', async () => {
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE events (id TEXT) STRICT');
    other.close();
    const before = readFileSync(file);
    expect(open).toThrow(expect.objectContaining({ code: 'storage_failed' }));
    expect(readFileSync(file)).toEqual(before);
    expect(discarded).toEqual([]);
  });

  test('a file that can not be opened, or may not be written, is named', async () => {
    mkdirSync(file);
    const said = {
      code: 'unavailable',
      message: `The read models in ${file} are locked or cannot be opened.`,
    };
    expect(open).toThrow(expect.objectContaining(said));
    expect(discarded).toEqual([]);
    const readOnly = Object.assign(new Error('attempt to write a readonly database'), { errcode: 8 });
    expect(asPortError(readOnly, file)).toMatchObject({
      code: 'storage_failed',
      message: `The read models in ${file} may not be written: look at the rights.`,
    });
  });

  test('a file from before events were counted is served as it is, and counted from its positions', async () => {
    const store = open();
    const build = await store.begin(things, { bulk: false });
    await store.write([
      { build, checkpoint: { position: positionOf(7), ordinal: 7 }, put: [thing(1)], remove: [] },
    ]);
    await store.activate(build);
    await store.close();
    const database = new DatabaseSync(file);
    database.exec(`ALTER TABLE "${buildName(build)}" DROP COLUMN checksum`);
    database.exec('ALTER TABLE builds DROP COLUMN ordinal; PRAGMA user_version = 2');
    database.close();
    const reader = openSqliteReadStoreReader({ file });
    expect(await reader.checkpoint('things')).toEqual({ position: '7', ordinal: 7 });
    const migrated = open();
    expect(discarded).toEqual([]);
    expect(await migrated.get('things', 't1')).toEqual(thing(1));
    expect((await migrated.builds()).map(({ checkpoint }) => checkpoint)).toEqual([
      { position: '7', ordinal: 7 },
    ]);
    const next = { position: positionOf(900), ordinal: 8 };
    await migrated.write([{ build, checkpoint: next, put: [], remove: [] }]);
    expect(await reader.checkpoint('things')).toEqual(next);
    await Promise.all([reader.close(), migrated.close()]);
  });

  test('a disk that is full is said, nothing is written, and it goes on when there is room', async () => {
    const store = open();
    const build = await store.begin(things, { bulk: true });
    await store.close();
    const database = new DatabaseSync(file);
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
    database.close();
    const full = openSqliteReadStore({ file, pagesMax: pages + 2 });
    const put = Array.from({ length: 5_000 }, (_, n) => thing(n));
    const batch = { build, checkpoint: { position: positionOf(5_000), ordinal: 5_000 }, put, remove: [] };
    await expect(full.write([batch])).rejects.toMatchObject({ code: 'storage_full' });
    expect(await full.read(build, ['t1'])).toEqual([]);
    await full.close();
    const roomy = open();
    await roomy.write([batch]);
    expect(await roomy.read(build, ['t1'])).toEqual([thing(1)]);
    await roomy.close();
  });
});
