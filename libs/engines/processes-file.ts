import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ClockMark } from '#clock';
import { readClockMark } from '#clock/sqlite';
import { readLastRuns } from '#jobs/in-process';
import { LodeError } from '#kernel';
import { readReactors } from '#reactors/sqlite';
import {
  hasTable,
  isDamage,
  isEmpty,
  lookInto,
  openDatabase,
  pragma,
  removeDatabase,
  setAside,
  setDurability,
} from '#sqlite';
import { explainFailure, withDatabase } from './failures.js';
import type { Remembered } from './inspection.js';

/** Marks the file as what Lode's processes remember: "LOPR". */
const APPLICATION_ID = 0x4c4f5052;
/** The layout of the tables in it. Another one is not migrated: the file is made anew. */
const FORMAT = 1;
/** How long a statement waits for another program that has the file, in milliseconds. */
const BUSY_MS = 2_000;

/** The log that the reactors' places are of. No row: it is not known, and may be this one. */
const LOG =
  'CREATE TABLE IF NOT EXISTS log (row INTEGER PRIMARY KEY CHECK (row = 1), id TEXT NOT NULL) STRICT;';

/**
 * Opens the file in which reactors remember how far they are and jobs what they did. It can be thrown away at any time,
 * so that a damaged one, one of another layout or one of another log than is given is moved aside, `say` is told, and an
 * empty one takes its place. A database of something else is refused with `storage_failed` and left alone.
 */
export function openProcessesFile(file: string, say: (step: string) => void, logId?: string): DatabaseSync {
  try {
    const database = opened(file, logId);
    if (database !== undefined) return database;
  } catch (error) {
    if (!isDamage(error)) throw explainFailure(error, file);
  }
  const movedTo = setAside(file);
  say(`What the processes remembered could not be used: they begin anew (the old file is ${movedTo}).`);
  const database = withDatabase(file, () => opened(file, logId));
  if (database === undefined) throw new LodeError('storage_failed', `${file} can't be made anew.`);
  return database;
}

/** Lets reactors and jobs begin anew: what they remember is of another log. */
export function removeProcessesFile(file: string): void {
  removeDatabase(file);
}

/** The database in the file; undefined when its layout or its log is another. */
function opened(file: string, logId: string | undefined): DatabaseSync | undefined {
  return openDatabase(file, { timeoutMs: BUSY_MS }, (database) => {
    if (!hasOurLayout(database, file)) return undefined;
    setDurability(database, 'all but the last commits');
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`);
    return logId === undefined || isOf(logId, database) ? database : undefined;
  });
}

/** True for what is of this log, and for what is of none yet, which it then is. */
function isOf(logId: string, database: DatabaseSync): boolean {
  database.exec(LOG);
  database.prepare('INSERT OR IGNORE INTO log (row, id) VALUES (1, ?)').run(logId);
  return database.prepare('SELECT id FROM log').get()?.['id'] === logId;
}

/**
 * What reactors and jobs have kept, for a tool that looks; undefined when there is no file or the next start makes it anew.
 * Throws `storage_failed` for a file that the program refuses, and what SQLite says of one that can't be read.
 */
export function readRemembered(file: string): Remembered | undefined {
  if (!existsSync(file)) return undefined;
  return lookInto(file, { timeoutMs: BUSY_MS }, (database) =>
    isEmpty(database) || !hasOurLayout(database, file)
      ? undefined
      : { reactors: readReactors(database), lastRuns: readLastRuns(database) },
  );
}

/** How far the time of a log has come; undefined where that was not kept, or of another log. Throws as `readRemembered`. */
export function readMarkIn(file: string, logId: string): ClockMark | undefined {
  if (!existsSync(file)) return undefined;
  return lookInto(file, { timeoutMs: BUSY_MS }, (database) => {
    if (isEmpty(database) || !hasOurLayout(database, file) || !hasTable(database, 'log')) return undefined;
    const isOurs = database.prepare('SELECT id FROM log').get()?.['id'] === logId;
    return isOurs ? readClockMark(database) : undefined;
  });
}

/** True for the layout of today and a file that has none yet; refuses a database of something else. */
function hasOurLayout(database: DatabaseSync, file: string): boolean {
  if (isEmpty(database)) return true;
  if (pragma(database, 'application_id') !== APPLICATION_ID)
    throw new LodeError('storage_failed', `${file} is a database, but not one of Lode's processes.`);
  return pragma(database, 'user_version') === FORMAT;
}
