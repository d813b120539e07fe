import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { readLastRuns } from '#jobs/in-process';
import { LodeError } from '#kernel';
import { readReactors } from '#reactors/sqlite';
import { inOneSentence, withDatabase } from './failures.js';
import type { Remembered } from './inspection.js';

/** Marks the file as what Lode's processes remember: "LOPR". */
const APPLICATION_ID = 0x4c4f5052;
/** The layout of the tables in it. Another one is not migrated: the file is made anew. */
const FORMAT = 1;
/** How long a statement waits for another program that has the file, in milliseconds. */
const BUSY_MS = 2_000;
/** A database and what belongs to it. */
const ENDS = ['', '-wal', '-shm'];
/** SQLite's result codes for a file that is damaged or none of its own. */
const DAMAGED: readonly unknown[] = [11, 26];

/**
 * Opens the file in which reactors remember how far they are and jobs what they did. It can be thrown away at any time,
 * so that a damaged one or one of another layout is moved aside, `say` is told, and an empty one takes its place. A
 * database of something else is refused with `storage_failed` and left alone.
 */
export function openProcessesFile(file: string, say: (step: string) => void): DatabaseSync {
  try {
    const database = opened(file);
    if (database !== undefined) return database;
  } catch (error) {
    if (!DAMAGED.includes((error as { readonly errcode?: unknown }).errcode))
      throw inOneSentence(error, file);
  }
  for (const end of ENDS) {
    rmSync(`${file}.discarded${end}`, { force: true });
    if (existsSync(file + end)) renameSync(file + end, `${file}.discarded${end}`);
  }
  say(
    `What the processes remembered could not be used: they begin anew (the old file is ${file}.discarded).`,
  );
  const database = withDatabase(file, () => opened(file));
  if (database === undefined) throw new LodeError('storage_failed', `${file} can't be made anew.`);
  return database;
}

/** Lets reactors and jobs begin anew: what they remember is of another log. */
export function removeProcessesFile(file: string): void {
  for (const end of ENDS) rmSync(file + end, { force: true });
}

/** The database in the file; undefined when its layout is another. */
function opened(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    if (!hasOurLayout(database, file)) {
      database.close();
      return undefined;
    }
    // NORMAL: what the last moments before a power cut remembered may be lost, and is then done again.
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${FORMAT};
    `);
    return database;
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/**
 * What reactors and jobs have kept, for a tool that looks; undefined when there is no file or the next start makes it anew.
 * Throws `storage_failed` for a file that the program refuses, and what SQLite says of one that can't be read.
 */
export function readRemembered(file: string): Remembered | undefined {
  if (!existsSync(file)) return undefined;
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  try {
    const isEmpty = numberOf(database, 'SELECT count(*) AS n FROM sqlite_schema') === 0;
    if (isEmpty || !hasOurLayout(database, file)) return undefined;
    return { reactors: readReactors(database), lastRuns: readLastRuns(database) };
  } finally {
    database.close();
  }
}

/** True for the layout of today and a file that has none yet; refuses a database of something else. */
function hasOurLayout(database: DatabaseSync, file: string): boolean {
  if (numberOf(database, 'SELECT count(*) AS n FROM sqlite_schema') === 0) return true;
  if (numberOf(database, 'SELECT * FROM pragma_application_id') !== APPLICATION_ID)
    throw new LodeError('storage_failed', `${file} is a database, but not one of Lode's processes.`);
  return numberOf(database, 'SELECT * FROM pragma_user_version') === FORMAT;
}

function numberOf(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}
