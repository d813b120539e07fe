import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { isLodeError, LodeError, logStart, parsePosition, type Position } from '#kernel';
import type { Checkpoints, ParkedEvent, ReactorState } from '../checkpoints.js';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS reactor (name TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS reactor_parked (
    reactor TEXT NOT NULL,
    position TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (reactor, position)
  ) STRICT;
`;

/**
 * Checkpoints in a database of the caller's. Their tables are made when they are missing. `check` is asked in the
 * transaction of each save: what it throws, because another program runs the reactors by now, ends the save.
 */
export function createSqliteCheckpoints(
  database: DatabaseSync,
  check: () => void = () => undefined,
): Checkpoints {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
      if (isLodeError(error)) throw error;
      const message = 'What is kept of the reactors cannot be read or written.';
      throw new LodeError('unavailable', message, {}, { cause: error });
    }
  };
  guarded(() => database.exec(SCHEMA));
  const sql = {
    position: database.prepare('SELECT position FROM reactor WHERE name = ?'),
    parked: database.prepare('SELECT event FROM reactor_parked WHERE reactor = ?'),
    advance: database.prepare(
      'INSERT INTO reactor (name, position) VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position',
    ),
    put: database.prepare(
      'INSERT INTO reactor_parked (reactor, position, event) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET event = excluded.event',
    ),
    remove: database.prepare('DELETE FROM reactor_parked WHERE reactor = ? AND position = ?'),
  };

  return {
    load: async (reactor) =>
      guarded(() => ({
        position: positionIn(sql.position.get(reactor)?.['position']),
        parked: sql.parked.all(reactor).map(parkedIn),
      })),
    save: async (reactor, { position, put, remove }) =>
      guarded(() => {
        database.exec('BEGIN IMMEDIATE');
        check();
        sql.advance.run(reactor, position);
        for (const event of put) sql.put.run(reactor, event.position, JSON.stringify(event));
        for (const at of remove) sql.remove.run(reactor, at);
        database.exec('COMMIT');
      }),
  };
}

/** How far a reactor has got as of its last save, and what it still owes of that. */
export type StoredReactor = ReactorState & { readonly name: string };

/** Every reactor that is remembered in a database, for tools that only look; none when there are no tables yet. */
export function readReactors(database: DatabaseSync): readonly StoredReactor[] {
  const tables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reactor_parked'").all();
  if (tables.length === 0) return [];
  const parked = database.prepare('SELECT event FROM reactor_parked WHERE reactor = ?');
  return database
    .prepare('SELECT name, position FROM reactor ORDER BY name')
    .all()
    .map(({ name, position }) => ({
      name: String(name),
      position: positionIn(position),
      parked: parked.all(String(name)).map(parkedIn),
    }));
}

function parkedIn(row: Record<string, SQLOutputValue>): ParkedEvent {
  return JSON.parse(String(row['event'])) as ParkedEvent;
}

function positionIn(stored: unknown): Position {
  return (typeof stored === 'string' ? parsePosition(stored) : undefined) ?? logStart;
}
