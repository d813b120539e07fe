import type { DatabaseSync } from 'node:sqlite';
import { logStart, positionOf, type Position, type RecordedEvent } from '#kernel';
import { readingAgain } from '#sqlite';
import {
  checkPage,
  checkStreams,
  type EventKinds,
  type LogHeader,
  type StreamRead,
  type TypesRead,
} from '../port.js';
import { fromRow, refuseGap, type StoredRow } from './rows.js';
import { hasChecksums, headerIn, kindsIn, openForReading, toLodeError, toPreparingError } from './schema.js';

/** The largest that SQLite can count to. */
const ROWID_MAX = 2n ** 63n - 1n;
/** Rows that one read of some types looks through: a few milliseconds on the thread that asks. */
const SCAN_MAX = 5_000n;

/** A row of a read of several streams: as `StoredRow`, with its stream's place in the list. */
type PlacedRow = readonly [
  position: number,
  revision: number,
  place: number,
  type: string,
  body: string,
  checksum: number | null,
];

/** The reading half of the store: synchronous, for any thread that has the file. */
export type LogReader = {
  readStream(stream: string, read: StreamRead): readonly RecordedEvent[];
  readStreams(streams: readonly string[], limit: number): readonly (readonly RecordedEvent[])[];
  readAll(after: Position, limit: number): readonly RecordedEvent[];
  readTypes(types: readonly string[], after: Position, limit: number): TypesRead;
  head(): Position;
  last(): RecordedEvent | undefined;
  header(): LogHeader | undefined;
  kinds(): EventKinds;
  close(): void;
};

/** Opens a reader of the log in `file` beside its writer; errors as the port. */
export function openLogReader(file: string): LogReader {
  const db = openForReading(file);
  const { forwards, backwards, several, all, some, last } = prepareReads(db, file);

  const reading = <T>(read: () => T): T => {
    try {
      return readingAgain(read, file);
    } catch (error) {
      throw toLodeError(error, file);
    }
  };
  const head = (): Position => {
    const position = last.get()?.['position'];
    return typeof position === 'number' ? positionOf(position) : logStart;
  };

  return {
    readStream: (stream, { from, direction = 'forwards', limit }) =>
      reading(() =>
        direction === 'forwards'
          ? linear(forwards.all(stream, from ?? 0, pageOf(limit)), from ?? 0, 1)
          : linear(backwards.all(stream, from ?? Number.MAX_SAFE_INTEGER, pageOf(limit)), undefined, -1),
      ),
    readStreams: (streams, limit) =>
      reading(() => {
        checkStreams(streams);
        return grouped(several.all(JSON.stringify(streams), pageOf(limit)), streams);
      }),
    readAll: (after, limit) =>
      reading(() => {
        const from = rowidOf(after);
        return gapless(all.all(from, pageOf(limit)), from);
      }),
    readTypes: (types, after, limit) =>
      reading(() => {
        const from = rowidOf(after);
        // Asked first: what is written between the two reads is left for the next one.
        const end = least(from + SCAN_MAX, rowidOf(head()));
        if (end <= from) return { events: [], scanned: after, passed: 0 };
        const found = eventsOf(some.all(from, end, JSON.stringify(types), pageOf(limit)));
        const isFull = found.length === limit;
        const scanned = (isFull ? found.at(-1)?.position : undefined) ?? positionOf(end);
        // Positions of this log count its events.
        return { events: found, scanned, passed: Number(BigInt(scanned) - from) };
      }),
    head: () => reading(head),
    last: () =>
      reading(() => {
        const before = rowidOf(head()) - 1n;
        return gapless(all.all(before, 1), before)[0];
      }),
    header: () => reading(() => headerIn(db)),
    kinds: () => reading(() => kindsIn(db)),
    close: () => db.close(),
  };
}

function eventsOf(rows: unknown): readonly RecordedEvent[] {
  return (rows as readonly StoredRow[]).map(fromRow);
}

/** The events of one stream, whose revisions begin at `first` and go by `step`. */
function linear(rows: unknown, first: number | undefined, step: 1 | -1): readonly RecordedEvent[] {
  const found = eventsOf(rows);
  let expected = first ?? found[0]?.revision ?? 0;
  for (const event of found) {
    if (event.revision !== expected) refuseGap(event);
    expected += step;
  }
  return found;
}

/** The events of several streams, each stream's from its first on, in the order in which the streams are named. */
function grouped(rows: unknown, streams: readonly string[]): readonly (readonly RecordedEvent[])[] {
  const found = streams.map((): RecordedEvent[] => []);
  for (const [position, revision, place, type, body, sum] of rows as readonly PlacedRow[]) {
    const event = fromRow([position, revision, streams[place] ?? '', type, body, sum]);
    const known = found[place];
    if (known?.length !== revision) refuseGap(event);
    known.push(event);
  }
  return found;
}

/** The position that follows another: those of this log count its events from 1. */
export function nextPosition(position: Position): Position {
  return positionOf(BigInt(position) + 1n);
}

/** The events of the log after a position. */
function gapless(rows: unknown, after: bigint): readonly RecordedEvent[] {
  let expected = Number(after);
  return (rows as readonly StoredRow[]).map((row) => {
    const event = fromRow(row);
    expected += 1;
    if (row[0] !== expected) refuseGap(event);
    return event;
  });
}

/** The statements of all reads; errors as the port. */
function prepareReads(db: DatabaseSync, file: string) {
  try {
    // A log that no Lode of today has written to yet.
    const checksum = hasChecksums(db) ? 'e.checksum' : 'NULL';
    const columns = `e.position, e.revision, s.name, e.type, e.body, ${checksum}`;
    const ofStream = `SELECT ${columns} FROM events e JOIN streams s ON s.id = e.stream WHERE s.name = ?`;
    const forwards = db.prepare(`${ofStream} AND e.revision >= ? ORDER BY e.revision LIMIT ?`);
    const backwards = db.prepare(`${ofStream} AND e.revision <= ? ORDER BY e.revision DESC LIMIT ?`);
    // A join in just this order: by stream, which is told by its place in the list, and in each by revision.
    const several = db.prepare(
      `SELECT e.position, e.revision, j.key, e.type, e.body, ${checksum} FROM json_each(?) j
       CROSS JOIN streams s ON s.name = j.value CROSS JOIN events e ON e.stream = s.id AND e.revision < ?`,
    );
    // A row whose stream is gone is read as well, to be refused and not left out.
    const ofLog = `SELECT ${columns} FROM events e LEFT JOIN streams s ON s.id = e.stream WHERE e.position > ?`;
    const all = db.prepare(`${ofLog} ORDER BY e.position LIMIT ?`);
    // The body of a row that is passed over is neither read nor parsed.
    const some = db.prepare(
      `${ofLog} AND e.position <= ? AND e.type IN (SELECT value FROM json_each(?)) ORDER BY e.position LIMIT ?`,
    );
    const last = db.prepare('SELECT max(position) AS position FROM events');
    for (const statement of [forwards, backwards, several, all, some]) statement.setReturnArrays(true);
    return { forwards, backwards, several, all, some, last };
  } catch (error) {
    db.close();
    throw toPreparingError(error, file);
  }
}

function pageOf(limit: number): number {
  checkPage(limit);
  return limit;
}

/** The rowid of a position; one beyond all that SQLite can count is after every event, as the largest is. */
function rowidOf(position: Position): bigint {
  const number = BigInt(position);
  return number < ROWID_MAX ? number : ROWID_MAX;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
