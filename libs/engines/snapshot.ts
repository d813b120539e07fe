import { backup, DatabaseSync } from 'node:sqlite';
import { withDatabase } from './failures.js';
import type { Progress } from './inspection.js';
import type { Places } from './places.js';

/** How long the program may keep its locks, in milliseconds. */
const PATIENCE_MS = 10_000;
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
  const guard = withDatabase(identity, () => new DatabaseSync(identity, { timeout: PATIENCE_MS }));
  const opened: DatabaseSync[] = [guard];
  try {
    withDatabase(identity, () => guard.exec('BEGIN IMMEDIATE'));
    const [people, events] = [held(identity), held(log)];
    opened.push(people, events);
    guard.exec('ROLLBACK');
    guard.close();
    return {
      copyLog: (to, progress) => copy(events, to, 'Copying the log, pages', progress),
      copyIdentity: (to, progress) => copy(people, to, 'Copying the identity store, pages', progress),
      close: () => {
        for (const db of opened) if (db.isOpen) db.close();
      },
    };
  } catch (error) {
    for (const db of opened) if (db.isOpen) db.close();
    throw error;
  }
}

/** A connection that sees a database as it is now until it is closed. */
function held(file: string): DatabaseSync {
  return withDatabase(file, () => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: PATIENCE_MS });
    try {
      db.exec('BEGIN');
      db.prepare('SELECT count(*) FROM sqlite_schema').get();
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

async function copy(from: DatabaseSync, to: string, what: string, progress: Progress): Promise<void> {
  await backup(from, to, {
    rate: PAGES,
    progress: ({ totalPages, remainingPages }) => progress(what, totalPages - remainingPages, totalPages),
  });
  const made = new DatabaseSync(to);
  // One file, complete by itself, which reading leaves as it is.
  made.exec('PRAGMA journal_mode = DELETE');
  made.close();
}
