import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LodeError } from '#kernel';

/** Marks the file as this program's read models: "LORM". */
const APPLICATION_ID = 0x4c4f524d;
/** The layout of the tables below. */
const FORMAT = 3;
/** The layout before ordinals were kept, which is migrated. Any other is not: the file is made again from the log. */
const FORMAT_WITHOUT_ORDINALS = 2;
/** How long the writer waits for another process's lock, in milliseconds. */
const WRITER_BUSY_MS = 2_000;
/** Readers wait for nobody in WAL mode but for a moment of recovery. */
const READER_BUSY_MS = 250;
/** Documents of 0.5 to 2 KB fill 4 KB pages badly: with 8 KB ones an insert takes a third of the time. */
const PAGE_BYTES = 8_192;
const WRITER_CACHE_KIB = 64 * 1_024;
const READER_CACHE_KIB = 32 * 1_024;
/**
 * Pages in the write-ahead log before they are moved into the file: few while live, because whoever writes then waits
 * for the disk; many in a bulk build, because a page that is changed often is then moved once.
 */
export const liveCheckpointPages = 2_000;
export const bulkCheckpointPages = 8_000;
const LOG_BYTES_KEPT = 64 * 1_024 * 1_024;

/** The result codes of SQLite that are told apart; the low byte of an extended code is its kind. */
const sqlite = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;

function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** True when a row broke a promise of its table: an id that is there already. */
export function isConstraint(error: unknown): boolean {
  return resultCode(error) === sqlite.constraint;
}

function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === sqlite.corrupt || code === sqlite.notADatabase;
}

/** The port's error for one of SQLite's; anything else is given back as it came. */
export function asPortError(error: unknown, file: string): unknown {
  const cause = { cause: error };
  switch (resultCode(error)) {
    case sqlite.full:
      return new LodeError('storage_full', 'There is no room for the read models.', {}, cause);
    case sqlite.busy:
    case sqlite.locked:
    case sqlite.cannotOpen:
      return new LodeError(
        'unavailable',
        `The read models in ${file} are locked or cannot be opened.`,
        {},
        cause,
      );
    case sqlite.readOnly:
      return new LodeError(
        'storage_failed',
        `The read models in ${file} may not be written: look at the rights.`,
        {},
        cause,
      );
    case sqlite.corrupt:
    case sqlite.notADatabase:
    case sqlite.ioError:
      return new LodeError(
        'storage_failed',
        `The read models in ${file} cannot be read or written.`,
        {},
        cause,
      );
    default:
      return error;
  }
}

const damageMark = (file: string) => `${file}.damaged`;

/** Leaves word for the next start that the file is damaged, so that it is made again then. */
export function markIfDamaged(file: string, error: unknown): void {
  if (isDamage(error)) writeFileSync(damageMark(file), '');
}

export type Discarded = {
  /** Where the file is now; an earlier one there is replaced. */
  readonly movedTo: string;
  readonly reason: 'damaged' | 'another format';
};

/**
 * Opens the file for writing, making it when it is not there. A damaged file and one of another format are moved aside
 * and `onDiscarded` is told. A database that is not one of read models is refused with `storage_failed` and left alone.
 */
export function openForWriting(file: string, onDiscarded: (discarded: Discarded) => void): DatabaseSync {
  const setAside = (reason: Discarded['reason']) => {
    const movedTo = `${file}.discarded`;
    for (const suffix of ['', '-wal', '-shm']) {
      rmSync(movedTo + suffix, { force: true });
      if (existsSync(file + suffix)) renameSync(file + suffix, movedTo + suffix);
    }
    rmSync(damageMark(file), { force: true });
    onDiscarded({ movedTo, reason });
    return prepare(new DatabaseSync(file, { timeout: WRITER_BUSY_MS }));
  };
  if (existsSync(damageMark(file))) return setAside('damaged');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: WRITER_BUSY_MS });
    const found = kindOf(database, file);
    if (found === 'read models') return prepare(database);
    database.close();
    return setAside('another format');
  } catch (error) {
    if (database?.isOpen === true) database.close();
    if (isDamage(error)) return setAside('damaged');
    throw asPortError(error, file);
  }
}

/** Opens the file for queries; undefined while there is no file of this format. */
export function openForReading(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined;
  const database = new DatabaseSync(file, { readOnly: true, timeout: READER_BUSY_MS });
  try {
    if (isKnownFormat(database) && kindOf(database, file) === 'read models') {
      database.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}`);
      return database;
    }
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  return undefined;
}

function numberOf(database: DatabaseSync, pragma: 'application_id' | 'user_version'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

function kindOf(database: DatabaseSync, file: string): 'read models' | 'another format' {
  const tables = Number(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables']);
  if (tables === 0) return 'read models';
  if (numberOf(database, 'application_id') !== APPLICATION_ID)
    throw new LodeError('storage_failed', `${file} is a database, but not one of read models.`);
  return isKnownFormat(database) ? 'read models' : 'another format';
}

function isKnownFormat(database: DatabaseSync): boolean {
  const format = numberOf(database, 'user_version');
  return format === FORMAT || format === FORMAT_WITHOUT_ORDINALS;
}

/** As `checkpointOf` reads rows without one. */
const ADD_ORDINALS = `
  ALTER TABLE builds ADD COLUMN ordinal INTEGER NOT NULL DEFAULT 0;
  UPDATE builds SET ordinal = CAST(checkpoint AS INTEGER);
`;

function prepare(database: DatabaseSync): DatabaseSync {
  const isMigrated = numberOf(database, 'user_version') !== FORMAT_WITHOUT_ORDINALS;
  database.exec(`
    PRAGMA page_size = ${PAGE_BYTES};
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -${WRITER_CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${liveCheckpointPages};
    PRAGMA journal_size_limit = ${LOG_BYTES_KEPT};
    BEGIN IMMEDIATE;
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${FORMAT};
    CREATE TABLE IF NOT EXISTS builds (
      name TEXT PRIMARY KEY, collection TEXT NOT NULL, version INTEGER NOT NULL, number INTEGER NOT NULL,
      indexes TEXT NOT NULL, indexed INTEGER NOT NULL, keyed INTEGER NOT NULL, state TEXT NOT NULL, checkpoint TEXT NOT NULL,
      ordinal INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS catalog (generation INTEGER NOT NULL, last_number INTEGER NOT NULL) STRICT;
    INSERT INTO catalog SELECT 0, 0 WHERE NOT EXISTS (SELECT * FROM catalog);
    CREATE TABLE IF NOT EXISTS writer (epoch INTEGER NOT NULL) STRICT;
    INSERT INTO writer SELECT 0 WHERE NOT EXISTS (SELECT * FROM writer);
    ${isMigrated ? '' : ADD_ORDINALS}
    COMMIT;
  `);
  return database;
}
