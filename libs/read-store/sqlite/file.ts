import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { LodeError } from '#kernel';
import {
  clearDamageMark,
  failureOf,
  isDamage,
  isEmpty,
  isMarkedDamaged,
  openDatabase,
  pragma,
  setAside,
  setDurability,
  storageError,
} from '#sqlite';
import type { Discarded } from '../port.js';

/** Marks the file as this program's read models: "LORM". */
const APPLICATION_ID = 0x4c4f524d;
/** The layout of the tables below. */
const FORMAT = 4;
/** The layouts before documents had checksums and before ordinals were kept, which are migrated. Any other is not: the file is made again from the log. */
const FORMAT_WITHOUT_CHECKSUMS = 3;
const FORMAT_WITHOUT_ORDINALS = 2;
const KNOWN_FORMATS = [FORMAT, FORMAT_WITHOUT_CHECKSUMS, FORMAT_WITHOUT_ORDINALS];
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

/** True when a row broke a promise of its table: an id that is there already. */
export function isConstraint(error: unknown): boolean {
  return failureOf(error) === 'constraint';
}

/** The port's error for one of SQLite's; anything else is given back as it came. */
export function asPortError(error: unknown, file: string): unknown {
  const closed = `The read models in ${file} are locked or cannot be opened.`;
  if (failureOf(error) === 'unopened') return new LodeError('unavailable', closed, {}, { cause: error });
  const unusable = `The read models in ${file} cannot be read or written`;
  return storageError(error, {
    full: 'There is no room for the read models.',
    busy: closed,
    readOnly: `The read models in ${file} may not be written: look at the rights.`,
    damaged: `${unusable}: the file is damaged.`,
    notADatabase: `${unusable}: the file is damaged.`,
    diskFailed: `${unusable}: the disk failed.`,
  });
}

/**
 * Opens the file for writing, making it when it is not there. A damaged file and one of another format are moved aside
 * and `onDiscarded` is told. A database that is not one of read models is refused with `storage_failed` and left alone.
 */
export function openForWriting(file: string, onDiscarded: (discarded: Discarded) => void): DatabaseSync {
  const opening = { timeoutMs: WRITER_BUSY_MS };
  const anew = (reason: Discarded['reason']) => {
    const movedTo = setAside(file);
    clearDamageMark(file);
    onDiscarded({ movedTo, reason });
    return openDatabase(file, opening, prepare);
  };
  if (isMarkedDamaged(file)) return anew('damaged');
  try {
    const found = openDatabase(file, opening, (database) =>
      kindOf(database, file) === 'read models' ? prepare(database) : undefined,
    );
    return found ?? anew('another format');
  } catch (error) {
    if (isDamage(error)) return anew('damaged');
    throw asPortError(error, file);
  }
}

/** Opens the file for queries; undefined while there is no file of this format. */
export function openForReading(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined;
  return openDatabase(file, { readOnly: true, timeoutMs: READER_BUSY_MS }, (database) => {
    if (!isKnownFormat(database) || kindOf(database, file) !== 'read models') return undefined;
    database.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}`);
    return database;
  });
}

function kindOf(database: DatabaseSync, file: string): 'read models' | 'another format' {
  if (isEmpty(database)) return 'read models';
  if (pragma(database, 'application_id') !== APPLICATION_ID)
    throw new LodeError('storage_failed', `${file} is a database, but not one of read models.`);
  return isKnownFormat(database) ? 'read models' : 'another format';
}

function isKnownFormat(database: DatabaseSync): boolean {
  const format = pragma(database, 'user_version');
  return KNOWN_FORMATS.includes(format);
}

/** As `checkpointOf` reads rows without one. */
const ADD_ORDINALS = `
  ALTER TABLE builds ADD COLUMN ordinal INTEGER NOT NULL DEFAULT 0;
  UPDATE builds SET ordinal = CAST(checkpoint AS INTEGER);
`;

/** Rows that are there have no checksum and are read as they are, until they are written again. */
function addChecksums(database: DatabaseSync): void {
  for (const { name } of database.prepare('SELECT name FROM builds').all())
    database.exec(`ALTER TABLE "${String(name)}" ADD COLUMN checksum INTEGER`);
  database.exec('UPDATE catalog SET generation = generation + 1');
}

function prepare(database: DatabaseSync): DatabaseSync {
  const before = pragma(database, 'user_version');
  // Before the first page is written.
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  setDurability(database, 'all but the last commits');
  database.exec(`
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
    ${before === FORMAT_WITHOUT_ORDINALS ? ADD_ORDINALS : ''}
  `);
  if (before === FORMAT_WITHOUT_ORDINALS || before === FORMAT_WITHOUT_CHECKSUMS) addChecksums(database);
  database.exec('COMMIT');
  return database;
}
