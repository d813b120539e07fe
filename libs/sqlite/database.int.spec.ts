import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canTrace } from '#kernel/testing';
import {
  clearDamageMark,
  hasColumn,
  hasTable,
  holdSnapshot,
  isEmpty,
  isMarkedDamaged,
  lookInto,
  makeForOwner,
  markIfDamaged,
  openDatabase,
  pragma,
  removeDatabase,
  setAside,
  setAsideName,
  setDurability,
  statementCache,
  transaction,
} from '#sqlite';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-sqlite-'));
  file = join(folder, 'x.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const kept = (db: DatabaseSync) => db;
const open = () => openDatabase(file, {}, kept);
const numbers = (db: DatabaseSync) =>
  db
    .prepare('SELECT n FROM t ORDER BY n')
    .all()
    .map(({ n }) => n);

/** A database with a table of numbers, and 1 in it. */
function made(): DatabaseSync {
  const db = open();
  setDurability(db, 'every commit');
  db.exec('CREATE TABLE t (n INTEGER) STRICT; INSERT INTO t VALUES (1)');
  return db;
}

describe('opening', () => {
  test('closes what is refused, and what is not wanted', () => {
    const seen: DatabaseSync[] = [];
    const refuse = (db: DatabaseSync) => {
      seen.push(db);
      throw new Error('not ours');
    };
    expect(() => openDatabase(file, {}, refuse)).toThrow('not ours');
    const decline = (db: DatabaseSync): DatabaseSync | undefined => {
      seen.push(db);
      return undefined;
    };
    expect(openDatabase(file, {}, decline)).toBeUndefined();
    expect(lookInto(file, {}, (db) => seen.push(db))).toBe(3);
    expect(seen.map((db) => db.isOpen)).toEqual([false, false, false]);
  });

  test('reads beside the writer, and changes nothing', () => {
    const db = made();
    expect(lookInto(file, {}, numbers)).toEqual([1]);
    expect(() => lookInto(file, {}, (found) => found.exec('DELETE FROM t'))).toThrow(/readonly/);
    const reader = openDatabase(file, { readOnly: true }, kept);
    expect(() => reader.exec('DELETE FROM t')).toThrow(/readonly/);
    reader.close();
    db.close();
  });

  test('a file for the owner alone stays so when SQLite writes it', () => {
    makeForOwner(file);
    made().close();
    makeForOwner(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lookInto(file, {}, numbers)).toEqual([1]);
  });
});

describe('a database', () => {
  test('says how durable it is, and what is in it', () => {
    const db = open();
    expect(isEmpty(db)).toBe(true);
    expect(setDurability(db, 'every commit')).toBe(true);
    expect(pragma(db, 'synchronous')).toBe(2);
    setDurability(db, 'all but the last commits');
    expect(pragma(db, 'synchronous')).toBe(1);
    db.exec('CREATE TABLE t (n INTEGER)');
    expect([isEmpty(db), hasTable(db, 't'), hasTable(db, 'u')]).toEqual([false, true, false]);
    expect([hasColumn(db, 't', 'n'), hasColumn(db, 't', 'm'), hasColumn(db, 'u', 'n')]).toEqual([
      true,
      false,
      false,
    ]);
    db.close();
    const memory = openDatabase(':memory:', {}, kept);
    expect(setDurability(memory, 'every commit')).toBe(false);
    memory.close();
  });

  test('lets go of a transaction that could not be ended before the next one', () => {
    const db = made();
    db.exec('BEGIN; INSERT INTO t VALUES (2)');
    transaction(db, () => db.exec('INSERT INTO t VALUES (3)'));
    expect(db.isTransaction).toBe(false);
    db.close();
    expect(lookInto(file, {}, numbers)).toEqual([1, 3]);
  });

  test('tells why the work failed, also when that ended the transaction', () => {
    const db = made();
    const end = () => {
      db.exec('ROLLBACK');
      throw new Error('the work failed');
    };
    expect(() => transaction(db, end)).toThrow('the work failed');
    db.close();
  });

  test('takes a transaction wholly or not at all, and none that its check refuses', () => {
    const db = made();
    const add = (n: number) => db.prepare('INSERT INTO t VALUES (?)').run(n);
    const fail = () => {
      throw new Error('no');
    };
    expect(transaction(db, () => add(2).changes)).toBe(1);
    expect(() =>
      transaction(db, () => {
        add(3);
        fail();
      }),
    ).toThrow('no');
    expect(() => transaction(db, () => add(4), fail)).toThrow('no');
    expect(numbers(db)).toEqual([1, 2]);
    expect(db.isTransaction).toBe(false);
    db.close();
  });

  test('is seen as it was by whoever holds it still', () => {
    const db = made();
    const held = openDatabase(file, { readOnly: true }, kept);
    holdSnapshot(held);
    db.exec('INSERT INTO t VALUES (2)');
    expect([numbers(held), numbers(db)]).toEqual([[1], [1, 2]]);
    held.close();
    db.close();
  });

  test('prepares a statement once, until it is told to forget', () => {
    const db = made();
    const { prepare, clear } = statementCache(db);
    const first = prepare('SELECT n FROM t');
    expect(prepare('SELECT n FROM t')).toBe(first);
    clear();
    expect(prepare('SELECT n FROM t')).not.toBe(first);
    db.close();
  });
});

describe('the files of a database', () => {
  test('are moved aside together, in place of those that were there, and removed together', () => {
    made().close();
    expect(setAside(file)).toBe(setAsideName(file));
    expect(existsSync(file)).toBe(false);
    const db = made();
    db.exec('INSERT INTO t VALUES (2)');
    setAside(file);
    db.close();
    expect(lookInto(setAsideName(file), {}, numbers)).toEqual([1, 2]);
    removeDatabase(setAsideName(file));
    removeDatabase(file);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('carry word of damage until it is taken back', () => {
    markIfDamaged(file, new Error('full'));
    expect(isMarkedDamaged(file)).toBe(false);
    markIfDamaged(file, Object.assign(new Error('malformed'), { errcode: 11 }));
    expect(isMarkedDamaged(file)).toBe(true);
    clearDamageMark(file);
    expect(isMarkedDamaged(file)).toBe(false);
  });
});

/** What a read of a database fails with in a program of its own, whose every read from the nth on fails. */
function failureFrom(nth: number): string {
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    import { failureOf, readingAgain } from ${JSON.stringify(new URL('index.js', import.meta.url).href)};
    try {
      const [, file] = process.argv;
      const db = new DatabaseSync(file, { readOnly: true });
      readingAgain(() => db.prepare('SELECT a, c FROM t WHERE b = ?').all('x77'), file);
      console.log('nothing');
    } catch (error) {
      console.log(failureOf(error));
    }`;
  const fails = ['-P', file, '-e', 'trace=pread64', '-e', `inject=pread64:error=EIO:when=${nth}+`];
  const node = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    script,
    file,
  ];
  const { stdout } = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', ...fails, ...node], {
    encoding: 'utf8',
  });
  return stdout.trim();
}

(canTrace() ? test : test.skip)('a disk that goes on failing is no damage, wherever it begins to', () => {
  const db = new DatabaseSync(file);
  db.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c TEXT); CREATE INDEX i ON t (b)',
  );
  const insert = db.prepare('INSERT INTO t (b, c) VALUES (?, ?)');
  for (let n = 0; n < 2_000; n += 1) insert.run(`x${n}`, 'c'.repeat(300));
  db.close();
  const failures = [1, 2, 3, 4, 5, 6, 7, 8].map((nth) => failureFrom(nth));
  expect(failures.filter((one) => one !== 'nothing' && one !== 'diskFailed')).toEqual([]);
  expect(failures.filter((one) => one === 'diskFailed').length).toBeGreaterThan(2);
});
