import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import { plainFailure, serializeError } from '#kernel';
import { openDatabase, setDurability } from '#sqlite';
import { identityError } from './errors.js';
import type { Scrubbed } from './scrubbing.js';

/* A thread that overwrites what was erased from an identity file. Whoever started it writes nothing meanwhile. */

/** How long somebody who reads an older state is waited for, in milliseconds: all that write wait as long. */
const BUSY_TIMEOUT_MS = 1_000;

function scrub(db: DatabaseSync): void {
  setDurability(db, 'every commit');
  db.exec('PRAGMA secure_delete = ON');
  // First, so that nothing is written anew in vain.
  cutLog(db);
  if (db.prepare('SELECT 1 FROM to_overwrite').get() === undefined) return;
  db.exec('VACUUM');
  cutLog(db);
  db.exec('DELETE FROM to_overwrite');
  cutLog(db);
}

function cutLog(db: DatabaseSync): void {
  if (db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] !== 0)
    throw plainFailure('unavailable', 'What was erased is not yet overwritten. Please repeat.');
}

function scrubbed(file: string): Scrubbed {
  try {
    openDatabase(file, { timeoutMs: BUSY_TIMEOUT_MS }, (db) => {
      scrub(db);
      db.close();
      return true;
    });
    return {};
  } catch (error) {
    return { failure: serializeError(identityError(file, error)) };
  }
}

parentPort?.once('message', () => parentPort?.postMessage(scrubbed(String(workerData))));
