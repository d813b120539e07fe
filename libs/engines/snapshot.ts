import { backup, type DatabaseSync } from 'node:sqlite';
import { removeHeader } from '#event-store/sqlite';
import { forgetHead } from '#identity/sqlite';
import { holdSnapshot, openDatabase, type Opening } from '#sqlite';
import { withDatabase } from './failures.js';
import type { Progress } from './inspection.js';
import type { Places } from './places.js';

/** How long the program may keep its locks, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;
/** Pages copied between two looks at anything else. */
const PAGES = 2_000;

/** The log and the identity store as they were at one moment. */
export type Snapshot = {
  readonly copyLog: (to: string, progress: Progress) => Promise<void>;
  readonly copyIdentity: (to: string, progress: Progress) => Promise<void>;
  readonly close: () => void;
};

/**
 * Holds both databases still, as this process sees them, while their program goes on writing. A person is first in the
 * identity store, then in the log, then in the identity store again: kept from writing to it for the moment in which
 * both are looked at, no registration and no erasure is cut in two.
 */
export function takeSnapshot({ log, identity }: Pick<Places, 'log' | 'identity'>): Snapshot {
  const guard = opened(identity, { timeoutMs: BUSY_TIMEOUT_MS }, (db) => db.exec('BEGIN IMMEDIATE'));
  const open: DatabaseSync[] = [guard];
  try {
    const people = held(identity);
    open.push(people);
    const events = held(log);
    open.push(events);
    guard.exec('ROLLBACK');
    guard.close();
    return {
      // What is made of the copy is another log.
      copyLog: (to, progress) => copy(events, to, 'Copying the log, pages', progress, removeHeader),
      // No head lies beside the copy: whoever opens it where it lies begins one.
      copyIdentity: (to, progress) =>
        copy(people, to, 'Copying the identity store, pages', progress, forgetHead),
      close: () => {
        for (const db of open) if (db.isOpen) db.close();
      },
    };
  } catch (error) {
    for (const db of open) if (db.isOpen) db.close();
    throw error;
  }
}

/** A connection that sees a database as it is now until it is closed. */
function held(file: string): DatabaseSync {
  return opened(file, { readOnly: true, timeoutMs: BUSY_TIMEOUT_MS }, holdSnapshot);
}

/** A connection that `begin` has begun its transaction on. */
function opened(file: string, opening: Opening, begin: (db: DatabaseSync) => void): DatabaseSync {
  return withDatabase(file, () =>
    openDatabase(file, opening, (db) => {
      begin(db);
      return db;
    }),
  );
}

async function copy(
  from: DatabaseSync,
  to: string,
  what: string,
  progress: Progress,
  change: (made: DatabaseSync) => void = () => undefined,
): Promise<void> {
  await backup(from, to, {
    rate: PAGES,
    progress: ({ totalPages, remainingPages }) => progress(what, totalPages - remainingPages, totalPages),
  });
  // One file, complete by itself, which reading leaves as it is.
  openDatabase(to, {}, (made) => {
    made.exec('PRAGMA journal_mode = DELETE');
    change(made);
  });
}
