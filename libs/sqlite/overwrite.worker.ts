import { parentPort } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, setDurability } from './database.js';
import type { Overwriting, Overwritten } from './overwriting.js';

/* A thread that overwrites what was deleted or replaced in a database, once. */

/** How long somebody who reads an older state is waited for, in milliseconds: all that write wait as long. */
const BUSY_TIMEOUT_MS = 1_000;

/** False when somebody reads an older state. */
function overwrite(db: DatabaseSync, notedIn: string | undefined): boolean {
  setDurability(db, 'every commit');
  // First, so that nothing is written anew in vain.
  if (!cutLog(db)) return false;
  if (notedIn !== undefined && db.prepare(`SELECT 1 FROM ${notedIn}`).get() === undefined) return true;
  db.exec('VACUUM');
  if (!cutLog(db)) return false;
  if (notedIn === undefined) return true;
  db.exec(`DELETE FROM ${notedIn}`);
  return cutLog(db);
}

function cutLog(db: DatabaseSync): boolean {
  return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
}

function overwritten({ file, notedIn }: Overwriting): Overwritten {
  try {
    return openDatabase(file, { timeoutMs: BUSY_TIMEOUT_MS }, (db) => {
      const kind = overwrite(db, notedIn) ? 'done' : 'read';
      db.close();
      return { kind };
    });
  } catch (error) {
    const errcode = Error.isError(error) && 'errcode' in error ? Number(error.errcode) : undefined;
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error), errcode };
  }
}

parentPort?.once('message', (what: Overwriting) => parentPort?.postMessage(overwritten(what)));
