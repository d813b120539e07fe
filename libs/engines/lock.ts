import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { syncAtOnce } from '#disk';
import { hasCode, isLodeError, LodeError, pause, repeatEvery, systemClock, systemTimers } from '#kernel';
import { failureOf, openDatabase } from '#sqlite';
import { placesIn } from './places.js';
import { explainFailure } from './failures.js';

/** How often whoever has the lock looks whether its file is still there; milliseconds. */
const LOOK_MS = 1_000;
/** A lock in a file that is younger is held by a start that still waits, and may be taken from it; milliseconds. */
const TAKEN_FROM_MS = 2_000;
/** A start waits until the file of its lock is so old: whoever was running before has looked by then; milliseconds. */
const SETTLED_MS = 3_000;

const OWNER_ONLY = 0o600;

/** A lock that is held, and the file that it is in. */
type Held = { readonly db: DatabaseSync; readonly file: Stats };

/**
 * Makes the data folder this process's own until it ends, however it ends: the lock is a transaction that is never
 * committed, and the operating system lets go of it with the process. Refuses in one sentence.
 *
 * The file of the lock can be removed while it is held, and a second program would lock another one. So whoever has the
 * lock looks each second, and takes it anew; and who locks a file that was just made, in a folder that a program may have,
 * waits until that has looked. One that could not look for so long ends: the error it throws then is caught by nobody.
 */
export async function lockFolder(folder: string): Promise<{ readonly release: () => void }> {
  const first = takeLock(folder);
  await settle(folder, first);
  let held = first;
  const cancel = repeatEvery(systemTimers, LOOK_MS, () => {
    held = retake(folder, held);
  });
  return {
    release: () => {
      cancel();
      held.db.close();
    },
  };
}

/** Whether a program has the folder now. */
export function isLocked(folder: string): boolean {
  try {
    takeLock(folder).db.close();
    return false;
  } catch (error) {
    if (isLodeError(error) && error.code === 'unavailable') return true;
    throw error;
  }
}

function takeLock(folder: string): Held {
  if (existsSync(placesIn(folder).restoring)) {
    throw new LodeError(
      'storage_failed',
      `A restore into ${folder} was not finished: empty it and restore again.`,
    );
  }
  try {
    makeFolder(resolve(folder));
    return lockFile(fileIn(folder));
  } catch (error) {
    if (failureOf(error) === 'busy') throw running(folder);
    throw unwritable(folder, error);
  }
}

const fileIn = (folder: string) => join(folder, 'lock.sqlite');

function running(folder: string): LodeError {
  return new LodeError('unavailable', `Another Lode is running on ${folder}: stop it or set LODE_DATA.`);
}

/** Makes a data folder where there is none, and its name durable before anything is in it. */
function makeFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) return;
  makeMissing(folder);
  // Also of one that is there already: it may be of a program that was killed over it.
  syncNames(dirname(folder));
}

/** Makes folders one by one, because where a disk takes no changes Node only says so of one folder at a time. */
function makeMissing(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  makeMissing(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  syncNames(parent);
}

/** Without this a power cut could take a new folder with all that is in it. */
function syncNames(folder: string): void {
  try {
    syncAtOnce(folder);
  } catch (error) {
    // Whoever may not read a folder can't make its names durable.
    if (!hasCode(error, 'EACCES')) throw error;
  }
}

/** Locks the file that is there, which is made when there is none. */
function lockFile(path: string): Held {
  // SQLite would open one that may not be written to be read.
  closeSync(openSync(path, 'a', OWNER_ONLY));
  const before = statSync(path);
  return openDatabase(path, {}, (db) => {
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    const file = statSync(path, { throwIfNoEntry: false });
    if (file === undefined || !isSame(before, file)) throw running(dirname(path));
    return { db, file };
  });
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** Since when the file is there, in milliseconds; 0 for one from the future. */
function ageOf({ ctimeMs }: Stats): number {
  return Math.max(0, systemClock() - ctimeMs);
}

/** Waits for a program that may have the folder while its lock was removed; refuses when there is one. */
async function settle(folder: string, { db, file }: Held): Promise<void> {
  const left = SETTLED_MS - ageOf(file);
  if (left <= 0 || !isLeftOpen(folder)) return;
  await pause(systemTimers, left);
  const found = statSync(fileIn(folder), { throwIfNoEntry: false });
  if (found !== undefined && isSame(found, file)) return;
  db.close();
  throw running(folder);
}

/** True while a program, or a command that looks, has the databases open. One that was killed may have left that trace. */
function isLeftOpen(folder: string): boolean {
  const { log, processes } = placesIn(folder);
  if (!existsSync(processes)) return existsSync(`${log}-shm`);
  try {
    // Who has it open keeps others from having it alone.
    openDatabase(processes, {}, (db) => {
      db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK');
      db.close();
    });
    return false;
  } catch (error) {
    // What is wrong with it the opening says that follows.
    return failureOf(error) === 'busy';
  }
}

/** The lock that is held, or a new one in place of one whose file was removed. Throws when another program has that. */
function retake(folder: string, held: Held): Held {
  const path = fileIn(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && isSame(found, held.file)) return held;
  const isSettled = found !== undefined && ageOf(found) >= TAKEN_FROM_MS;
  try {
    if (!isSettled) rmSync(path, { force: true });
    const taken = lockFile(path);
    held.db.close();
    return taken;
  } catch (error) {
    if (isSettled && failureOf(error) === 'busy')
      throw new LodeError(
        'unavailable',
        `Another program has ${folder}, whose lock.sqlite was removed or replaced: this one writes nothing more.`,
        {},
        { cause: error },
      );
    // A start that waits has it, or the disk takes nothing now: the next look tries again.
    return held;
  }
}

/** Why nothing can be written in the data folder, by the error that writing failed with. */
export function unwritable(folder: string, error: unknown): LodeError {
  const cause = { cause: error };
  const told = explainFailure(error, folder);
  if (isLodeError(told) && told.code === 'storage_full')
    return new LodeError('storage_full', `The disk that has ${folder} is full: make room on it.`, {}, cause);
  if (hasCode(error, 'EROFS'))
    return new LodeError(
      'storage_failed',
      `The disk that has ${folder} is read-only: mount it so that it can be written, or set LODE_DATA.`,
      {},
      cause,
    );
  if (isLodeError(told) && (hasCode(error, 'EIO') || hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE')))
    return told;
  return new LodeError(
    'storage_failed',
    `${folder} can't be written: look at its rights or set LODE_DATA.`,
    {},
    cause,
  );
}
