import type { DatabaseSync } from 'node:sqlite';
import { invariant } from '#kernel';
import { hasTable, orUnavailable } from '#sqlite';
import type { ClockMarks, ClockRequests } from '../port.js';
import type { ClockMark } from '../rule.js';

const MARKS = `
  CREATE TABLE IF NOT EXISTS clock_mark (
    row INTEGER PRIMARY KEY CHECK (row = 1),
    accepted INTEGER NOT NULL,
    instant INTEGER NOT NULL
  ) STRICT;
`;
const REQUESTS = `
  CREATE TABLE IF NOT EXISTS clock_request (
    row INTEGER PRIMARY KEY CHECK (row = 1),
    id TEXT NOT NULL,
    reason TEXT,
    answer TEXT
  ) STRICT;
`;
const KEPT = 'SELECT accepted, instant FROM clock_mark';
const guarded = orUnavailable('What is remembered of the time cannot be read or written.');

/** Marks in a database of the caller's. Their table is made when it is missing. */
export function createSqliteClockMarks(database: DatabaseSync): ClockMarks {
  guarded(() => database.exec(MARKS));
  const kept = database.prepare(KEPT);
  const keep = database.prepare(
    `INSERT INTO clock_mark (row, accepted, instant) VALUES (1, ?1, ?2)
     ON CONFLICT (row) DO UPDATE SET accepted = ?1, instant = ?2
       WHERE accepted < ?1 OR (accepted = ?1 AND instant < ?2)`,
  );
  return {
    load: async () => guarded(() => markIn(kept.get())),
    save: async ({ accepted, instant }) =>
      guarded(() => {
        keep.run(accepted, Math.round(instant));
        const mark = markIn(kept.get());
        invariant(mark !== undefined, 'a mark that was kept is there');
        return mark;
      }),
  };
}

/** The mark in a database of what the processes remember; undefined where none was kept. */
export function readClockMark(database: DatabaseSync): ClockMark | undefined {
  return hasTable(database, 'clock_mark') ? markIn(database.prepare(KEPT).get()) : undefined;
}

/** Requests in a database of the caller's, which the program and its commands have open. */
export function createSqliteClockRequests(database: DatabaseSync): ClockRequests {
  guarded(() => database.exec(REQUESTS));
  const ask = database.prepare(
    `INSERT INTO clock_request (row, id, reason) VALUES (1, ?1, ?2)
     ON CONFLICT (row) DO UPDATE SET id = ?1, reason = ?2, answer = NULL`,
  );
  const pending = database.prepare('SELECT id, reason FROM clock_request WHERE answer IS NULL');
  const answer = database.prepare('UPDATE clock_request SET answer = ?2 WHERE id = ?1');
  const answerOf = database.prepare('SELECT answer FROM clock_request WHERE id = ?');
  return {
    ask: ({ id, reason }) => void guarded(() => ask.run(id, reason ?? null)),
    pending: () =>
      guarded(() => {
        const row = pending.get();
        if (row === undefined) return undefined;
        const { id, reason } = row;
        return { id: String(id), reason: typeof reason === 'string' ? reason : undefined };
      }),
    answer: (id, text) => void guarded(() => answer.run(id, text)),
    answerOf: (id) =>
      guarded(() => {
        const text = answerOf.get(id)?.['answer'];
        return typeof text === 'string' ? text : undefined;
      }),
  };
}

function markIn(row: Readonly<Record<string, unknown>> | undefined): ClockMark | undefined {
  return row === undefined
    ? undefined
    : { accepted: Number(row['accepted']), instant: Number(row['instant']) };
}
