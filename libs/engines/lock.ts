import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isLodeError, LodeError } from '#kernel';
import { failureOf, openDatabase } from '#sqlite';
import { placesIn } from './places.js';
import { explainFailure } from './failures.js';

/**
 * Makes the data folder this process's own until it ends, however it ends: the lock is a transaction that is never
 * committed, and the operating system lets go of it with the process. Refuses in one sentence.
 */
export function lockFolder(folder: string): { readonly release: () => void } {
  if (existsSync(placesIn(folder).restoring)) {
    throw new LodeError(
      'storage_failed',
      `A restore into ${folder} was not finished: empty it and restore again.`,
    );
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openDatabase(join(folder, 'lock.sqlite'), {}, (db) => {
      db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
      return { release: () => db.close() };
    });
  } catch (error) {
    if (failureOf(error) === 'busy') {
      throw new LodeError('unavailable', `Another Lode is running on ${folder}: stop it or set LODE_DATA.`);
    }
    throw unwritable(folder, error);
  }
}

/** Why nothing can be written in the data folder, by the error that writing failed with. */
export function unwritable(folder: string, error: unknown): LodeError {
  const cause = { cause: error };
  const told = explainFailure(error, folder);
  return isLodeError(told) && told.code === 'storage_full'
    ? new LodeError('storage_full', `The disk that has ${folder} is full: make room on it.`, {}, cause)
    : new LodeError(
        'storage_failed',
        `${folder} can't be written: look at its rights or set LODE_DATA.`,
        {},
        cause,
      );
}
