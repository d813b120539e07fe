import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { commit as commitTransaction } from '#sqlite';
import { invariant, isLodeError, serializeError, type SerializedError } from '#kernel';
import {
  checksumOf,
  fromRow,
  unpack,
  type AppendRows,
  type PackedAppends,
  type StoredBody,
  type StoredRow,
  type WriteFailure,
  type WriteResult,
} from './rows.js';
import type { LogHeader } from '../port.js';
import { kindsIn, openForWriting, toLodeError } from './schema.js';

/** Streams whose id and last revision the writer remembers; the one writer, so what it remembers is true. */
const STREAMS_REMEMBERED = 200_000;
/** WAL pages (of 4 KiB) after which the writer moves them into the database, between two commits. */
const CHECKPOINT_PAGES = 8_192;
const PAGE_BYTES = 4_096;

/** What the thread is started with: the log's file, and the header that it gets when it has none. */
export type WriterData = { readonly file: string; readonly header: LogHeader };

type Stream = { readonly id: number; revision: number };

/** Adds appends to the tables, each checked by itself, in a transaction of the caller's. */
function createRows(db: DatabaseSync) {
  const streams = new LRUCache<string, Stream>({ max: STREAMS_REMEMBERED });
  const sql = prepare(db);
  const kinds = createKinds(db);
  let next = Number(sql.head.get()?.['position'] ?? 0) + 1;
  let committed = next;

  function streamOf(name: string): Stream | undefined {
    const known = streams.get(name);
    if (known !== undefined) return known;
    const row = sql.stream.get(name);
    if (row === undefined) return undefined;
    const found = { id: Number(row['id']), revision: Number(row['revision']) };
    streams.set(name, found);
    return found;
  }

  /** The first answer to the same events, when the stream already holds them at their revisions. */
  function writtenBefore(stream: Stream, { first, bodies }: AppendRows): WriteResult | undefined {
    const positions: number[] = [];
    for (const [n, body] of bodies.entries()) {
      const found = sql.eventAt.get(stream.id, first + n) as unknown as StoredRow | undefined;
      if (found === undefined || !isSame(found, body)) return undefined;
      positions.push(found[0]);
    }
    return { kind: 'written before', first: positions[0] ?? 0, last: positions.at(-1) ?? 0 };
  }

  return {
    apply(append: AppendRows): WriteResult {
      const { types, versions, bodies, first } = append;
      invariant(bodies.length > 0, 'an append holds events');
      let stream = streamOf(append.stream);
      const actual = stream?.revision ?? -1;
      const expected = append.expected ?? (stream === undefined ? undefined : first - 1);
      if (expected !== actual || first !== actual + 1) {
        return (stream && writtenBefore(stream, append)) ?? { kind: 'conflict', actual };
      }
      if (stream === undefined) {
        stream = { id: Number(sql.addStream.run(append.stream).lastInsertRowid), revision: -1 };
        streams.set(append.stream, stream);
      }
      const position = next;
      for (let n = 0; n < bodies.length; n++) {
        const [revision, type, body] = [first + n, types[n] ?? '', bodies[n] ?? ''];
        const checksum = checksumOf(next, revision, append.stream, type, body);
        sql.addEvent.run(next++, stream.id, revision, type, body, checksum);
        kinds.add(type, versions[n] ?? 1);
      }
      stream.revision = first + bodies.length - 1;
      return position;
    },
    /** What was applied stays. */
    keep() {
      kinds.keep();
      committed = next;
    },
    /** What was applied since is undone, and so is what was remembered of it. */
    undo() {
      streams.clear();
      kinds.undo();
      next = committed;
    },
  };
}

/** The kinds of events in the log: one is kept in the transaction of the first event of it. */
function createKinds(db: DatabaseSync) {
  const add = db.prepare(
    'INSERT INTO kinds (type, version) VALUES (?, ?) ON CONFLICT (type) DO UPDATE SET version = excluded.version',
  );
  const stored = new Map(Object.entries(kindsIn(db)));
  /** Of the transaction under way. */
  const added = new Map<string, number>();
  return {
    add(type: string, version: number) {
      if (version <= (added.get(type) ?? stored.get(type) ?? 0)) return;
      add.run(type, version);
      added.set(type, version);
    },
    keep() {
      for (const [type, version] of added) stored.set(type, version);
      added.clear();
    },
    undo() {
      added.clear();
    },
  };
}

/**
 * The one writer of the log, in a thread of its own so that waiting for the disk never stops the program. It takes
 * whole batches of appends, checks each by itself, commits them together, and answers after the commit.
 */
function createWriter({ file, header }: WriterData) {
  const db = openForWriting(file, header);
  const { apply, keep, undo } = createRows(db);
  let dead: string | undefined;
  let pagesSinceCheckpoint = 0;

  function commit(appends: readonly AppendRows[]): readonly WriteResult[] {
    if (dead !== undefined)
      return appends.map(() => ({ kind: 'failed', code: 'storage_failed', message: dead ?? '' }));
    try {
      db.exec('BEGIN IMMEDIATE');
      const results = appends.map(apply);
      commitTransaction(() => db.exec('COMMIT'));
      keep();
      return results;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      undo();
      const { code, message } = failureOf(error, file);
      // After a failed fsync the disk's promises are worth nothing (a retried one may lie): never write again.
      if (code === 'storage_failed' || code === 'unknown_outcome') dead = message;
      return appends.map(() => ({ kind: 'failed', code, message }));
    }
  }

  return {
    commit,
    /** Why it never writes again. */
    dead: () => dead,
    /** Moves the WAL into the database when it has grown; called after the answers of a batch were sent. */
    tidy(appends: readonly AppendRows[]) {
      pagesSinceCheckpoint += appends.reduce((sum, append) => sum + pagesOf(append), 0);
      if (pagesSinceCheckpoint < CHECKPOINT_PAGES || dead !== undefined) return;
      pagesSinceCheckpoint = 0;
      try {
        db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      } catch (error) {
        const failure = toLodeError(error, file);
        // A full disk leaves everything in the WAL, where it is as safe; anything else is a disk that lies.
        if (isLodeError(failure) && failure.code === 'storage_failed') dead = failure.message;
        else if (!isLodeError(failure)) throw failure;
      }
    },
    close() {
      try {
        if (dead === undefined) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } finally {
        db.close();
      }
    },
  };
}

/** What a commit failed with. */
function failureOf(error: unknown, file: string): { readonly code: WriteFailure; readonly message: string } {
  const failure = toLodeError(error, file);
  const code = isLodeError(failure) ? (failure.code as WriteFailure) : 'internal';
  return { code, message: failure instanceof Error ? failure.message : String(failure) };
}

/** About how many pages of the WAL an append takes: those of its text, and at least one of an index. */
function pagesOf(append: AppendRows): number {
  return 1 + append.bodies.reduce((sum, body) => sum + body.length, 0) / PAGE_BYTES;
}

/** The same event has the same id and the same chain, which covers all the rest. */
function isSame(stored: StoredRow, sent: string): boolean {
  const { id, meta } = JSON.parse(sent) as StoredBody;
  try {
    const event = fromRow(stored);
    return event.id === id && event.meta.chain === meta.chain;
  } catch {
    // Unreadable counts as different; a read of the stream then reports the damage.
    return false;
  }
}

function prepare(db: DatabaseSync) {
  const eventAt = db.prepare(
    `SELECT e.position, e.revision, s.name, e.type, e.body, e.checksum FROM events e JOIN streams s ON s.id = e.stream
     WHERE e.stream = ? AND e.revision = ?`,
  );
  eventAt.setReturnArrays(true);
  return {
    head: db.prepare('SELECT max(position) AS position FROM events'),
    stream: db.prepare(
      'SELECT id, (SELECT max(revision) FROM events WHERE stream = streams.id) AS revision FROM streams WHERE name = ?',
    ),
    addStream: db.prepare('INSERT INTO streams (name) VALUES (?)'),
    addEvent: db.prepare(
      'INSERT INTO events (position, stream, revision, type, body, checksum) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    eventAt,
  };
}

/** What the threads that have the log open and its writer say to each other. */
export type ToWriter =
  | { readonly kind: 'commit'; readonly appends: PackedAppends }
  /** Another thread's way to the writer; from the thread that started it only, as is `close`. */
  | { readonly kind: 'connect'; readonly port: MessagePort }
  | { readonly kind: 'close' };
export type FromWriter =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'refused' } & SerializedError)
  /** `dead`: why nothing will be written after it. */
  | {
      readonly kind: 'committed';
      readonly results: readonly WriteResult[];
      readonly dead: string | undefined;
    }
  /** Another thread's appends were committed, or nothing ever will be again. */
  | { readonly kind: 'grown'; readonly dead: string | undefined }
  | { readonly kind: 'closed' };

function serve(port: NonNullable<typeof parentPort>, data: WriterData): void {
  const say = (message: FromWriter) => port.postMessage(message);
  let writer: ReturnType<typeof createWriter>;
  try {
    writer = createWriter(data);
  } catch (error) {
    say({ kind: 'refused', ...serializeError(toLodeError(error, data.file)) });
    port.close();
    return;
  }
  const threads = new Set([port]);

  function commit(from: MessagePort, packed: PackedAppends): void {
    const appends = unpack(packed);
    const results = writer.commit(appends);
    const dead = writer.dead();
    from.postMessage({ kind: 'committed', results, dead } satisfies FromWriter);
    const grown: FromWriter = { kind: 'grown', dead };
    for (const other of threads) if (other !== from) other.postMessage(grown);
    writer.tidy(appends);
  }

  port.on('message', (message: ToWriter) => {
    switch (message.kind) {
      case 'commit':
        commit(port, message.appends);
        return;
      case 'connect': {
        const other = message.port;
        threads.add(other);
        other.on('message', (asked: ToWriter) => {
          if (asked.kind === 'commit') commit(other, asked.appends);
        });
        other.on('close', () => threads.delete(other));
        return;
      }
      case 'close':
        writer.close();
        say({ kind: 'closed' });
        for (const thread of threads) thread.close();
    }
  });
  say({ kind: 'ready' });
}

if (parentPort !== null) serve(parentPort, workerData as WriterData);
