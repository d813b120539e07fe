import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { logStart, parsePosition } from '#kernel';
import { hasColumn, hasTable, orUnavailable, transaction } from '#sqlite';
import type { Checkpoints, ParkedEvent, ReactorState, StoredReactor } from '../checkpoints.js';

/**
 * `ordinal` is that of the event at `ordinal_at`, which is `position` unless a program from before ordinals were kept has
 * moved it since.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS reactor (
    name TEXT PRIMARY KEY,
    position TEXT NOT NULL,
    ordinal INTEGER,
    ordinal_at TEXT
  ) STRICT;
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
  const guarded = orUnavailable('What is kept of the reactors cannot be read or written.');
  guarded(() => {
    database.exec(SCHEMA);
    // Tables from before ordinals were kept, or the places that they are of.
    for (const [column, type] of Object.entries({ ordinal: 'INTEGER', ordinal_at: 'TEXT' })) {
      if (!hasColumn(database, 'reactor', column))
        database.exec(`ALTER TABLE reactor ADD COLUMN ${column} ${type}`);
    }
  });
  const sql = {
    place: database.prepare('SELECT position, ordinal, ordinal_at FROM reactor WHERE name = ?'),
    parked: database.prepare('SELECT event FROM reactor_parked WHERE reactor = ?'),
    advance: database.prepare(
      `INSERT INTO reactor (name, position, ordinal, ordinal_at) VALUES (?1, ?2, ?3, ?2)
       ON CONFLICT DO UPDATE
       SET position = excluded.position, ordinal = excluded.ordinal, ordinal_at = excluded.ordinal_at`,
    ),
    put: database.prepare(
      'INSERT INTO reactor_parked (reactor, position, event) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET event = excluded.event',
    ),
    remove: database.prepare('DELETE FROM reactor_parked WHERE reactor = ? AND position = ?'),
  };

  return {
    load: async (reactor) =>
      guarded(() => ({
        ...placeIn(sql.place.get(reactor)),
        parked: sql.parked.all(reactor).map(parkedIn),
      })),
    save: async (reactor, { position, ordinal, put, remove }) =>
      guarded(() => {
        const write = () => {
          sql.advance.run(reactor, position, ordinal);
          for (const event of put) sql.put.run(reactor, event.position, JSON.stringify(event));
          for (const at of remove) sql.remove.run(reactor, at);
        };
        transaction(database, write, check);
      }),
  };
}

/** Every reactor that is remembered in a database, for tools that only look; none when there are no tables yet. */
export function readReactors(database: DatabaseSync): readonly StoredReactor[] {
  if (!hasTable(database, 'reactor_parked')) return [];
  const parked = database.prepare('SELECT event FROM reactor_parked WHERE reactor = ?');
  return database
    .prepare('SELECT * FROM reactor ORDER BY name')
    .all()
    .map((row) => {
      const name = String(row['name']);
      return { name, ...placeIn(row), parked: parked.all(name).map(parkedIn) };
    });
}

function parkedIn(row: Record<string, SQLOutputValue>): ParkedEvent {
  return JSON.parse(String(row['event'])) as ParkedEvent;
}

/**
 * Where a reactor stands; the log's start for one that was never here. What a program from before ordinals were kept has
 * written is of the embedded log, the only one there was: its positions count its events from 1.
 */
function placeIn(
  row: Record<string, SQLOutputValue> | undefined,
): Pick<ReactorState, 'position' | 'ordinal'> {
  const stored = row?.['position'];
  const position = (typeof stored === 'string' ? parsePosition(stored) : undefined) ?? logStart;
  return { position, ordinal: Number(row?.['ordinal_at'] === position ? row['ordinal'] : position) };
}
