import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LodeError } from '#kernel';
import {
  commit,
  isEmpty,
  lookInto,
  makeForOwner,
  openDatabase,
  pragma,
  setDurability,
  statementCache,
  transaction,
} from '#sqlite';
import {
  addChecksums,
  compareChecksums,
  keepChecksums,
  type Checksums,
  type SummedTable,
} from './checksums.js';
import { identityError, isDiskFailure } from './errors.js';
import type { Row } from './rows.js';
import { APPLICATION_ID, migrations, schema, SCHEMA_VERSION } from './schema.js';
import { createScrubbing, type Scrubbing } from './scrubbing.js';

/** How long a statement waits for another program that writes the file. Milliseconds. */
const BUSY_TIMEOUT_MS = 2_000;
const OWNER_ONLY = 0o600;
const HEADER_BYTES = 100;
const IN_MEMORY = ':memory:';

export type Database = {
  /** The statement for a text, prepared once. */
  readonly sql: (text: string) => StatementSync;
  /** A row of a table whose rows have a checksum. Refuses one that is not what was written. */
  readonly one: (table: SummedTable, where: string, ...values: readonly SQLInputValue[]) => Row | undefined;
  readonly checksums: Checksums;
  /**
   * Runs `work` wholly or not at all; durable when it has ended. It counts as a change of what must not be lost. It waits
   * while the file is written anew.
   */
  readonly write: <T>(work: () => T) => Promise<T>;
  /** The same for what may be lost, and isn't counted. */
  readonly touch: <T>(work: () => T) => Promise<T>;
  readonly read: <T>(work: () => T) => T;
  /** Notes, in the transaction of a `write`, that something is erased by it which `scrub` has to overwrite. */
  readonly noteErased: () => void;
  /**
   * Overwrites what was erased since the last time: writes the file anew, as what a page had before it was divided stays
   * in it, and cuts off the write-ahead log; on a thread of its own, and once for all who ask before it begins. Throws
   * `unavailable` when a reader needs the log: then it is to be repeated.
   */
  readonly scrub: () => Promise<void>;
  /** Resolves when the file is not being written anew, nor about to be. */
  readonly scrubbed: () => Promise<void>;
  readonly close: () => void;
};

/** Opens (or makes) the identity file for the one program that writes it. */
export function openForWriting(file: string): Database {
  return translated(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    // It holds keys.
    makeForOwner(file);
    chmodSync(file, OWNER_ONLY);
    return openDatabase(file, { timeoutMs: BUSY_TIMEOUT_MS }, (db) => {
      check(file, db);
      if (!setDurability(db, 'every commit'))
        throw unusable(file, 'is on a disk that has no shared memory for a write-ahead log');
      db.exec('PRAGMA secure_delete = ON');
      transaction(db, () => migrate(db));
      return wrap(file, db, keepChecksums(db));
    });
  });
}

/** Makes an empty one in memory, which is gone once it is closed. */
export function openInMemory(): Database {
  const nothingStays = async () => undefined;
  return openDatabase(IN_MEMORY, {}, (db) => {
    transaction(db, () => migrate(db));
    return wrap(IN_MEMORY, db, keepChecksums(db), {
      ...{ scrub: nothingStays, over: nothingStays, ended: nothingStays },
    });
  });
}

/** Whether a file that may not be there has the tables of an identity store. Throws as `openForReading`. */
export function isThere(file: string): boolean {
  if (!existsSync(file) || statSync(file).size === 0) return false;
  return translated(file, () =>
    lookInto(file, { timeoutMs: BUSY_TIMEOUT_MS }, (db) => {
      check(file, db);
      return pragma(db, 'user_version') !== 0;
    }),
  );
}

/** Opens the identity file to read beside the one who writes it. */
export function openForReading(file: string): Database {
  return translated(file, () =>
    openDatabase(file, { readOnly: true, timeoutMs: BUSY_TIMEOUT_MS }, (db) => {
      check(file, db);
      if (pragma(db, 'user_version') === 0) throw unusable(file, 'is empty');
      return wrap(file, db, compareChecksums(db));
    }),
  );
}

/** Whether the file has a table: one of an earlier schema lacks some. */
export function hasTableNamed({ sql }: Pick<Database, 'sql'>, name: string): boolean {
  return sql(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}

function check(file: string, db: DatabaseSync): void {
  const size = statSync(file).size;
  if (size > 0 && size < HEADER_BYTES) throw unusable(file, 'is damaged or is not a database');
  const hasNothing = isEmpty(db);
  const application = pragma(db, 'application_id');
  if (application !== APPLICATION_ID && !(application === 0 && hasNothing))
    throw unusable(file, 'belongs to another program');
  const version = pragma(db, 'user_version');
  if (version > SCHEMA_VERSION)
    throw unusable(file, `was written by a newer Lode (schema ${version}, this one knows ${SCHEMA_VERSION})`);
  const pages = pragma(db, 'page_count') * pragma(db, 'page_size');
  if (statSync(file).size < pages - walBytes(file)) throw unusable(file, 'is damaged: its end is missing');
}

/** What is not in the file yet: pages that only the write-ahead log has. */
function walBytes(file: string): number {
  return existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0;
}

function migrate(db: DatabaseSync): void {
  const found = pragma(db, 'user_version');
  if (found === 0) db.exec(`${schema} PRAGMA application_id = ${APPLICATION_ID};`);
  for (let version = found; version > 0 && version < SCHEMA_VERSION; version += 1)
    db.exec(migrations[version] ?? '');
  if (found < SCHEMA_VERSION) addChecksums(db);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

function wrap(
  file: string,
  db: DatabaseSync,
  checksums: Checksums,
  scrubbing: Scrubbing = createScrubbing(file),
): Database {
  const { prepare: sql } = statementCache(db);
  let failed = false;
  const write = <T>(work: () => T): T => {
    // After a failed fsync the kernel may have dropped the pages and say yes the next time.
    if (failed) throw unusable(file, 'takes no more changes since the disk failed: restart Lode');
    try {
      sql('BEGIN IMMEDIATE').run();
      const result = work();
      commit(() => sql('COMMIT').run());
      return result;
    } catch (error) {
      failed ||= isDiskFailure(error);
      if (db.isTransaction) sql('ROLLBACK').run();
      throw error;
    }
  };
  return {
    sql,
    checksums,
    one: (table, where, ...values) => {
      const row = sql(`SELECT * FROM ${table} WHERE ${where}`).get(...values);
      return row && checksums.whole(table, row);
    },
    write: async (work) => {
      await scrubbing.over();
      return translated(file, () =>
        write(() => {
          const result = work();
          sql('UPDATE change_count SET count = count + 1').run();
          return result;
        }),
      );
    },
    touch: async (work) => {
      await scrubbing.over();
      return translated(file, () => write(work));
    },
    read: (work) => translated(file, work),
    noteErased: () => {
      sql('INSERT OR IGNORE INTO to_overwrite (row) VALUES (1)').run();
    },
    scrub: scrubbing.scrub,
    scrubbed: scrubbing.ended,
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

function translated<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw identityError(file, error);
  }
}

function unusable(file: string, why: string): LodeError {
  return new LodeError('storage_failed', `The identity file ${file} ${why}.`);
}
