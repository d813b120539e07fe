import { DatabaseSync } from 'node:sqlite';
import { LodeError } from '#kernel';

/** Marks the file as Lode's log ("LODE" in ASCII), so that another program's database is never mistaken for it. */
const APPLICATION_ID = 0x4c4f4445;
/** The layout below. A file with a higher number was written by a newer Lode and is left alone. */
const SCHEMA_VERSION = 2;

/** How long a connection waits for a lock that another one holds, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/**
 * `position` is the rowid: one writer, no deletes, so it is the order of commits without gaps. The unique index is what
 * makes a stream linear even if the check before an insert were wrong. `checksum` is null in rows older than layout 2.
 */
const SCHEMA = `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams (id),
    revision INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
`;

/** From layout 1. The rows stay as they are, but SQLite reads them all to see that they keep to the table's types. */
const UPGRADE = 'ALTER TABLE events ADD COLUMN checksum INTEGER;';

/** Opens the log's file for writing, making or upgrading it where needed. Refuses with `storage_failed` in one sentence. */
export function openForWriting(file: string): DatabaseSync {
  return opened(file, false, (db) => {
    // Looked at before anything is set: what is not ours stays as it is.
    const isNew = ['application_id', 'user_version', 'schema_version'].every(
      (name) => pragma(db, name) === 0,
    );
    if (!isNew) check(db, file);
    // FULL: a commit is acknowledged only after its fsync. The writer checkpoints by itself, between commits.
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA foreign_keys = OFF',
    );
    if (isNew) lay(db, `${SCHEMA} PRAGMA application_id = ${APPLICATION_ID};`);
    else if (!hasChecksums(db)) lay(db, UPGRADE);
  });
}

/** Whether the rows of a log can have checksums. Told by its table: a flipped bit in the layout's number turns none off. */
export function hasChecksums(db: DatabaseSync): boolean {
  const column = db.prepare("SELECT 1 FROM pragma_table_info('events') WHERE name = 'checksum'");
  return column.get() !== undefined;
}

/** Brings a file to today's layout, or leaves it as it was. */
function lay(db: DatabaseSync, sql: string): void {
  db.exec(`BEGIN IMMEDIATE; ${sql} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}

/** Opens the log's file for reading beside its writer. */
export function openForReading(file: string): DatabaseSync {
  return opened(file, true, (db) => check(db, file));
}

/** The file's database once `prepare` has taken it; one that was refused is closed again. */
function opened(file: string, readOnly: boolean, prepare: (db: DatabaseSync) => void): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT });
    prepare(db);
    return db;
  } catch (error) {
    db?.close();
    throw toLodeError(error, file);
  }
}

function check(db: DatabaseSync, file: string): void {
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new LodeError('storage_failed', `${file} is not a Lode log.`);
  }
  const version = pragma(db, 'user_version');
  if (version > SCHEMA_VERSION) {
    throw new LodeError(
      'storage_failed',
      `${file} was written by a newer Lode (layout ${version}; this one knows ${SCHEMA_VERSION}): start that one.`,
    );
  }
  // Reads the last row through the table and the index, so that a file damaged there is refused at once.
  db.prepare('SELECT body FROM events ORDER BY position DESC LIMIT 1').get();
  db.prepare('SELECT count(*) FROM streams WHERE id = (SELECT max(stream) FROM events)').get();
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

/** SQLite's primary result codes that mean something to a caller. */
const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** SQLite's failures in the port's words; anything that is not SQLite's is given back as it is. */
export function toLodeError(error: unknown, file: string): unknown {
  const cause = { cause: error };
  // The log counts nothing that far.
  if (isTooLarge(error)) return damaged(file, cause);
  if (!isSqliteError(error)) return error;
  switch (error.errcode & 0xff) {
    case SQLITE.FULL:
      return new LodeError('storage_full', 'The disk is full: nothing was written.', {}, cause);
    case SQLITE.NOTADB:
    case SQLITE.CORRUPT:
      return damaged(file, cause);
    case SQLITE.CANTOPEN:
    case SQLITE.READONLY:
      return new LodeError(
        'storage_failed',
        `${file} can't be opened for writing: look at the folder's rights.`,
        {},
        cause,
      );
    case SQLITE.BUSY:
      return new LodeError('unavailable', `${file} is locked by another program.`, {}, cause);
    default:
      return new LodeError(
        'storage_failed',
        `${file}: ${error.message}. No further write is taken.`,
        {},
        cause,
      );
  }
}

/** Why a statement of this program could not be prepared: a file whose schema it does not fit has been changed. */
export function toPreparingError(error: unknown, file: string): unknown {
  const isUnfit = isSqliteError(error) && error.errcode === SQLITE.ERROR;
  return isUnfit ? damaged(file, { cause: error }) : toLodeError(error, file);
}

function damaged(file: string, cause: ErrorOptions): LodeError {
  return new LodeError('storage_failed', `${file} is damaged: restore it from a backup.`, {}, cause);
}

/** True when a number was read that is larger than JavaScript's own. */
function isTooLarge(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return (
    typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number'
  );
}
