import type { DatabaseSync } from 'node:sqlite';
import { LodeError, logStart, parsePosition, type Position } from '#kernel';
import type { Checkpoints, ParkedEvent } from '../checkpoints.js';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS reactor (name TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS reactor_parked (
    reactor TEXT NOT NULL,
    position TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (reactor, position)
  ) STRICT;
`;

/** Checkpoints in a database of the caller's. Their tables are made when they are missing. */
export function createSqliteCheckpoints(database: DatabaseSync): Checkpoints {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
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
        parked: sql.parked.all(reactor).map((row) => JSON.parse(String(row['event'])) as ParkedEvent),
      })),
    save: async (reactor, { position, put, remove }) =>
      guarded(() => {
        database.exec('BEGIN IMMEDIATE');
        sql.advance.run(reactor, position);
        for (const event of put) sql.put.run(reactor, event.position, JSON.stringify(event));
        for (const at of remove) sql.remove.run(reactor, at);
        database.exec('COMMIT');
      }),
  };
}

function positionIn(stored: unknown): Position {
  return (typeof stored === 'string' ? parsePosition(stored) : undefined) ?? logStart;
}
