import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { commit, readingAgain } from './errors.js';

export type Opening = {
  /** How long a statement waits for another connection's lock, in milliseconds; not at all when left out. */
  readonly timeoutMs?: number;
  readonly readOnly?: boolean;
};

/**
 * Opens a database and gives what `prepare` makes of it. When that throws, or is undefined, the database is closed. What a
 * read fails with is thrown when it fails twice: `prepare` may be called again, on the database opened anew.
 */
export function openDatabase<T>(
  file: string,
  { timeoutMs = 0, readOnly = false }: Opening,
  prepare: (db: DatabaseSync) => T,
): T {
  return readingAgain(() => {
    const db = new DatabaseSync(file, { readOnly, timeout: timeoutMs });
    try {
      const prepared = prepare(db);
      if (prepared === undefined) db.close();
      return prepared;
    } catch (error) {
      if (db.isOpen) db.close();
      throw error;
    }
  });
}

/** Opens a database for reading, looks, and closes it. What a read fails with is thrown when it fails twice. */
export function lookInto<T>(file: string, { timeoutMs = 0 }: Opening, look: (db: DatabaseSync) => T): T {
  return readingAgain(() => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: timeoutMs });
    try {
      return look(db);
    } finally {
      db.close();
    }
  });
}

/** What a power cut may take: nothing that was committed, or the last commits, which are then done again. */
export type Durability = 'every commit' | 'all but the last commits';

/** Sets how commits are written: ahead of the file. False where the disk can't do that, and commits go into it. */
export function setDurability(db: DatabaseSync, durability: Durability): boolean {
  const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  db.exec(`PRAGMA synchronous = ${durability === 'every commit' ? 'FULL' : 'NORMAL'}`);
  return mode === 'wal';
}

/** Does work wholly or not at all, as the one who writes. `check` is asked first, in the transaction. */
export function transaction<T>(db: DatabaseSync, work: () => T, check?: () => void): T {
  // One that the disk kept from being rolled back would swallow what is written after it.
  if (db.isTransaction) db.exec('ROLLBACK');
  db.exec('BEGIN IMMEDIATE');
  try {
    check?.();
    const result = work();
    commit(() => db.exec('COMMIT'));
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** Never throws: why the work failed is what is told. */
function rollBack(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // The next transaction begins with it.
  }
}

/** From here on the connection sees the database as it is now, until it is closed. */
export function holdSnapshot(db: DatabaseSync): void {
  // A transaction sees what was there at its first read.
  db.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
}

/** The number that a pragma answers with, such as `user_version`. */
export function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

/** True while the database has no table. */
export function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables'] === 0;
}

export function hasTable(db: DatabaseSync, table: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
}

export function hasColumn(db: DatabaseSync, table: string, column: string): boolean {
  return db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;
}

/** Statements of one connection by their text: prepared once. */
export type Statements = {
  readonly prepare: (text: string) => StatementSync;
  /** Lets go of all of them: the tables have changed. */
  readonly clear: () => void;
};

export function statementCache(db: DatabaseSync): Statements {
  const statements = new Map<string, StatementSync>();
  return {
    prepare: (text) => {
      const known = statements.get(text);
      if (known !== undefined) return known;
      const statement = db.prepare(text);
      statements.set(text, statement);
      return statement;
    },
    clear: () => statements.clear(),
  };
}
