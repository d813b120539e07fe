import type { DatabaseSync } from 'node:sqlite';
import { invariant, LodeError } from '#kernel';
import {
  failureOf,
  hasColumn,
  hasTable,
  openDatabase,
  pragma,
  setDurability,
  storageError,
  transaction,
} from '#sqlite';
import { changedHeader, changeOf, type EventKinds, type HeaderChanging, type LogHeader } from '../port.js';

/** Marks the file as Lode's log ("LODE" in ASCII), so that another program's database is never mistaken for it. */
const APPLICATION_ID = 0x4c4f4445;
/** The layout below. A file with a higher number was written by a newer Lode and is left alone. */
const SCHEMA_VERSION = 3;

/** How long a connection waits for a lock that another one holds, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

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

/** From layout 2: what lies beside the events, in one row. Whoever copies the events leaves it out. */
const HEADER = `
  CREATE TABLE header (
    row INTEGER PRIMARY KEY CHECK (row = 1),
    log_id TEXT NOT NULL,
    partitions INTEGER NOT NULL,
    filling INTEGER,
    moved_to TEXT,
    moved_to_log TEXT
  ) STRICT;
`;

/**
 * Of each type of events the newest version that was written. A log of before begins with none: what is in it was written
 * by programs that didn't know this table, and so by earlier ones than any that does.
 */
const KINDS = 'CREATE TABLE kinds (type TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID';

/** From before it was kept which log the events were moved to. It needs no layout of its own: who doesn't know it reads on. */
const MOVED_TO_LOG = 'ALTER TABLE header ADD COLUMN moved_to_log TEXT';
/** The same of the latest program that has had the log. */
const PROGRAM = 'ALTER TABLE header ADD COLUMN program TEXT';

/**
 * Opens the log's file for writing, making or upgrading it where needed: without a header, it gets the one given. Refuses
 * with `storage_failed` in one sentence.
 */
export function openForWriting(file: string, header: LogHeader): DatabaseSync {
  return opened(file, false, (db) => {
    // Looked at before anything is set: what is not ours stays as it is.
    const isNew = ['application_id', 'user_version', 'schema_version'].every(
      (name) => pragma(db, name) === 0,
    );
    if (!isNew) check(db, file);
    setDurability(db, 'every commit');
    // The writer checkpoints by itself, between commits.
    db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA foreign_keys = OFF');
    if (isNew || !hasChecksums(db) || headerIn(db) === undefined) lay(db, isNew, header);
    // It needs no layout of its own either.
    if (!hasTable(db, 'kinds')) db.exec(KINDS);
  });
}

/** Whether the rows of a log can have checksums. Told by its table: a flipped bit in the layout's number turns none off. */
export function hasChecksums(db: DatabaseSync): boolean {
  return hasColumn(db, 'events', 'checksum');
}

/** Brings a file to today's layout, with its header, or leaves it as it was. */
function lay(db: DatabaseSync, isNew: boolean, { logId, partitions }: LogHeader): void {
  transaction(db, () => {
    if (isNew) db.exec(`${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}`);
    else if (!hasChecksums(db)) db.exec(UPGRADE);
    if (!hasTable(db, 'header')) db.exec(HEADER);
    db.prepare('INSERT OR IGNORE INTO header (row, log_id, partitions) VALUES (1, ?, ?)').run(
      logId,
      partitions,
    );
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/** The header of a log; undefined while it has none. */
export function headerIn(db: DatabaseSync): LogHeader | undefined {
  if (!hasTable(db, 'header')) return undefined;
  const row = db.prepare('SELECT * FROM header').get();
  if (row === undefined) return undefined;
  const { log_id: logId, partitions, filling, moved_to: movedTo, moved_to_log: movedToLog, program } = row;
  return {
    logId: String(logId),
    partitions: Number(partitions),
    ...(filling === null ? {} : { filling: filling === 1 }),
    ...(typeof movedTo === 'string' ? { movedTo } : {}),
    ...(typeof movedToLog === 'string' ? { movedToLog } : {}),
    ...(typeof program === 'string' ? { program } : {}),
  };
}

/** The kinds of events in a log. */
export function kindsIn(db: DatabaseSync): EventKinds {
  if (!hasTable(db, 'kinds')) return {};
  const rows = db.prepare('SELECT type, version FROM kinds').all();
  return Object.fromEntries(rows.map(({ type, version }) => [String(type), Number(version)]));
}

/** Takes the header out of a copy of a log, which is another log. Does nothing to one without. */
export function removeHeader(db: DatabaseSync): void {
  if (hasTable(db, 'header')) db.exec('DELETE FROM header');
}

/** Changes a log's header beside its writer. */
export function changeHeader(file: string, change: HeaderChanging): void {
  const db = opened(file, false, (found) => check(found, file));
  try {
    setDurability(db, 'every commit');
    transaction(db, () => {
      const header = headerIn(db);
      invariant(header !== undefined, 'the writer has made the header');
      if (!hasColumn(db, 'header', 'moved_to_log')) db.exec(MOVED_TO_LOG);
      if (!hasColumn(db, 'header', 'program')) db.exec(PROGRAM);
      const { filling, movedTo, movedToLog, program } = changedHeader(header, changeOf(change, header));
      db.prepare('UPDATE header SET filling = ?, moved_to = ?, moved_to_log = ?, program = ?').run(
        filling === undefined ? null : Number(filling),
        movedTo ?? null,
        movedToLog ?? null,
        program ?? null,
      );
    });
  } catch (error) {
    throw toLodeError(error, file);
  } finally {
    db.close();
  }
}

/** Opens the log's file for reading beside its writer. */
export function openForReading(file: string): DatabaseSync {
  return opened(file, true, (db) => check(db, file));
}

/** The file's database once `prepare` has taken it. */
function opened(file: string, readOnly: boolean, prepare: (db: DatabaseSync) => void): DatabaseSync {
  try {
    return openDatabase(file, { readOnly, timeoutMs: BUSY_TIMEOUT_MS }, (db) => {
      prepare(db);
      return db;
    });
  } catch (error) {
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

/** SQLite's failures in the port's words; anything that is not SQLite's is given back as it is. */
export function toLodeError(error: unknown, file: string): unknown {
  const closed = `${file} can't be opened for writing: look at the folder's rights.`;
  const damaged = damagedSentence(file);
  // A log that fails in a way of which nothing is known is not written to.
  const ended = `${file}: ${Error.isError(error) ? error.message : String(error)}. No further write is taken.`;
  // The log counts nothing that far.
  if (isTooLarge(error)) return new LodeError('storage_failed', damaged, {}, { cause: error });
  return storageError(error, {
    full: 'The disk is full: nothing was written.',
    busy: `${file} is locked by another program.`,
    readOnly: closed,
    unopened: closed,
    damaged,
    notADatabase: damaged,
    other: ended,
  });
}

/** Why a statement of this program could not be prepared: a file whose schema it does not fit has been changed. */
export function toPreparingError(error: unknown, file: string): unknown {
  if (failureOf(error) !== 'statement') return toLodeError(error, file);
  return new LodeError('storage_failed', damagedSentence(file), {}, { cause: error });
}

function damagedSentence(file: string): string {
  return `${file} is damaged: restore it from a backup.`;
}

/** True when a number was read that is larger than JavaScript's own. */
function isTooLarge(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}
