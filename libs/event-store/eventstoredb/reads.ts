import { setTimeout as sleep } from 'node:timers/promises';
import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  type EventStoreDBClient,
  type Position as LogPosition,
  type StreamingRead,
} from '@eventstore/db-client';
import {
  LodeError,
  logStart,
  systemMonotonic,
  type Position,
  type Random,
  type RecordedEvent,
  type StreamEvent,
} from '#kernel';
import {
  changedHeader,
  checkPage,
  kindsBeyond,
  type EventKinds,
  type LogHeader,
  type StreamRead,
} from '../port.js';
import { isMissingStream, readFailure } from './errors.js';
import { pauseAfter, type RetryLimits } from './retry-limits.js';
import {
  changeIn,
  HEADER_EVENTS_MAX,
  HEADER_STREAM,
  kindsToldBy,
  toHeader,
  toPosition,
  toSealed,
} from './records.js';
import type { Server } from './server.js';
import { unavailable } from './unreachable.js';

/** Raw events asked for at a time, at least, when Lode's own are looked for among others'. */
const SCAN_PAGE = 256;

/** A log's header, the kinds of its events, and the revision of the last event that says something of either. */
export type StoredHeader = {
  readonly header: LogHeader;
  readonly kinds: EventKinds;
  readonly revision: number;
};

export type Reads = {
  readStream(stream: string, read: StreamRead): Promise<readonly StreamEvent[]>;
  readAll(after: Position, limit: number): Promise<readonly RecordedEvent[]>;
  head(): Promise<Position>;
  last(): Promise<RecordedEvent | undefined>;
  header(): Promise<StoredHeader | undefined>;
  /** Takes nothing more, and waits for the reads under way without trying any of them again. */
  close(): Promise<void>;
};

/** A stretch of the log that was looked through: nothing of Lode's is after `after` up to and including `to`. */
type Barren = { readonly after: LogPosition; readonly to: LogPosition };

/** Where the last event of Lode's is of all those up to and including `to`. */
type KnownHead = { readonly head: Position; readonly to: LogPosition };

/** What reads work with, and how they stand. */
type Reader = {
  readonly client: EventStoreDBClient;
  readonly server: Server;
  readonly retry: RetryLimits;
  readonly random: Random;
  readonly closing: AbortController;
  readonly underWay: Set<Promise<unknown>>;
  barren: Barren | undefined;
  known: KnownHead | undefined;
};

/** The reads of the port, each tried again while the server cannot be reached and always let go of on the server. */
export function createReads(options: {
  readonly client: EventStoreDBClient;
  readonly server: Server;
  readonly retry: RetryLimits;
  readonly random: Random;
}): Reads {
  const closing = new AbortController();
  const reader: Reader = { ...options, closing, underWay: new Set(), barren: undefined, known: undefined };
  return {
    readStream: (stream, read) => {
      checkPage(read.limit);
      return begin(reader, () => persist(reader, (ms) => streamPage(reader, stream, read, ms)));
    },
    readAll: (after, limit) => {
      checkPage(limit);
      return begin(reader, () => logPage(reader, after, limit));
    },
    head: () => begin(reader, () => persist(reader, (ms) => lastPosition(reader, ms))),
    last: () => begin(reader, () => persist(reader, (ms) => lastEvent(reader, ms))),
    header: () => begin(reader, () => persist(reader, (ms) => storedHeader(reader, ms))),
    close: async () => {
      closing.abort();
      await Promise.allSettled(reader.underWay);
    },
  };
}

function begin<T>({ closing, underWay }: Reader, read: () => Promise<T>): Promise<T> {
  if (closing.signal.aborted)
    return Promise.reject(new LodeError('unavailable', 'The event store is closed.'));
  const running = read();
  underWay.add(running);
  const done = () => underWay.delete(running);
  running.then(done, done);
  return running;
}

/** Runs a read, again when it failed for want of a server, until its time is up. It is told how long it may hear nothing. */
async function persist<T>(
  { server, retry, random, closing }: Reader,
  read: (silenceMs: number) => Promise<T>,
): Promise<T> {
  const end = systemMonotonic() + retry.readMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(Math.min(retry.silenceMs, end - systemMonotonic()));
    } catch (error) {
      const failure = readFailure(error, server);
      if (failure === 'bug') throw error;
      if (failure !== 'try-again') throw failure;
      const pauseMs = pauseAfter(attempt, retry, random);
      const isTimeUp = systemMonotonic() + pauseMs >= end;
      if (isTimeUp || attempt >= retry.attempts || closing.signal.aborted) throw unavailable(error, server);
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
}

async function streamPage(
  { client }: Reader,
  stream: string,
  { from, direction = 'forwards', limit }: StreamRead,
  silenceMs: number,
): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  const start = direction === 'forwards' ? START : END;
  const page = client.readStream(stream, {
    direction: direction === 'forwards' ? FORWARDS : BACKWARDS,
    fromRevision: from === undefined ? start : BigInt(from),
    maxCount: limit,
    requiresLeader: true,
  });
  try {
    await pull(page, silenceMs, ({ event }) => {
      const sealed = event && toSealed(event);
      if (sealed === undefined) throw strange(stream, event?.revision);
      const position = toPosition(event?.position);
      events.push(position === undefined ? sealed : { ...sealed, position });
      return true;
    });
  } catch (error) {
    if (isMissingStream(error)) return [];
    throw error;
  }
  return events;
}

async function storedHeader({ client }: Reader, silenceMs: number): Promise<StoredHeader | undefined> {
  let stored: StoredHeader | undefined;
  const page = client.readStream(HEADER_STREAM, { maxCount: HEADER_EVENTS_MAX, requiresLeader: true });
  try {
    await pull(page, silenceMs, ({ event }) => {
      const header =
        event && (stored === undefined ? toHeader(event) : changedHeader(stored.header, changeIn(event)));
      if (event === undefined || header === undefined) throw strange(HEADER_STREAM, event?.revision);
      const { kinds = {} } = stored ?? {};
      const more = kindsBeyond(kindsToldBy(event), kinds);
      stored = { header, kinds: { ...kinds, ...more }, revision: Number(event.revision) };
      return true;
    });
  } catch (error) {
    if (!isMissingStream(error)) throw error;
  }
  return stored;
}

/** As many events after a position as are wanted, or as there are; raw pages are read until then. */
async function logPage(reader: Reader, after: Position, limit: number): Promise<readonly RecordedEvent[]> {
  const { barren } = reader;
  const events: RecordedEvent[] = [];
  const start = after === logStart ? undefined : { commit: BigInt(after), prepare: BigInt(after) };
  let from = start && barren && covers(barren, start) ? barren.to : start;
  for (;;) {
    const { found, last, more } = await persist(reader, (ms) =>
      rawPage(reader, { after: from, wanted: limit - events.length }, ms),
    );
    events.push(...found);
    from = last;
    if (events.length === limit) return events;
    if (!more) break;
  }
  if (start !== undefined && from !== undefined && events.length === 0)
    reader.barren = { after: start, to: from };
  return events;
}

/**
 * One raw page after `after`. The server begins with the event at `after` itself, and it may answer with any events
 * of any application: what is not Lode's is passed over.
 */
async function rawPage(
  { client }: Reader,
  { after, wanted }: { readonly after: LogPosition | undefined; readonly wanted: number },
  silenceMs: number,
) {
  const found: RecordedEvent[] = [];
  const maxCount = Math.max(wanted + 1, SCAN_PAGE);
  let last = after;
  let seen = 0;
  const page = client.readAll({ fromPosition: after ?? START, maxCount, requiresLeader: true });
  await pull(page, silenceMs, ({ event }) => {
    seen++;
    if (event === undefined || !isAfter(event.position, after)) return true;
    last = event.position;
    const sealed = toSealed(event);
    const position = toPosition(event.position);
    if (sealed !== undefined && position !== undefined) found.push({ ...sealed, position });
    return found.length < wanted;
  });
  return { found, last, more: seen === maxCount };
}

/** Reads from the log's end back to the last event of Lode's, or to where an earlier such read began. */
async function lastPosition(reader: Reader, silenceMs: number): Promise<Position> {
  const { client } = reader;
  let { known } = reader;
  let found: Position | undefined;
  let end: LogPosition | undefined;
  const log = client.readAll({ direction: BACKWARDS, fromPosition: END, requiresLeader: true });
  await pull(log, silenceMs, ({ event }) => {
    if (event === undefined) return true;
    end ??= event.position;
    // A log that ends before where it ended once is another one.
    if (known !== undefined && isAfter(known.to, end)) known = undefined;
    if (known !== undefined && !isAfter(event.position, known.to)) return false;
    found = toSealed(event) && toPosition(event.position);
    return found === undefined;
  });
  const head = found ?? known?.head ?? logStart;
  if (end !== undefined) reader.known = { head, to: end };
  return head;
}

/** The event at the end of the log. */
async function lastEvent(reader: Reader, silenceMs: number): Promise<RecordedEvent | undefined> {
  const head = await lastPosition(reader, silenceMs);
  if (head === logStart) return undefined;
  const fromPosition = { commit: BigInt(head), prepare: BigInt(head) };
  let found: RecordedEvent | undefined;
  // Such a read begins with the event at the position itself.
  const page = reader.client.readAll({ fromPosition, maxCount: 1, requiresLeader: true });
  await pull(page, silenceMs, ({ event }) => {
    const sealed = event && toSealed(event);
    if (sealed !== undefined) found = { ...sealed, position: head };
    return false;
  });
  return found;
}

/**
 * Gives each event to `take` until that answers false or the read ends. The call on the server lasts until it is
 * cancelled, so that happens in every case. What still comes is let through and dropped: a read that nobody takes from
 * any more would stay with the client for ever, and an error that nobody listened for would end the process.
 */
function pull<E>(page: StreamingRead<E>, silenceMs: number, take: (event: E) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const leave = (settle: () => void) => {
      if (over) return;
      over = true;
      clearTimeout(silence);
      // Fails when there was no connection to cancel the call on.
      page.cancel().catch(() => undefined);
      settle();
    };
    const silence = setTimeout(() => leave(() => reject(silent(silenceMs))), silenceMs);
    page.on('data', (event) => {
      if (over) return;
      silence.refresh();
      try {
        if (!take(event)) leave(resolve);
      } catch (error) {
        leave(() => reject(error instanceof Error ? error : new Error('a read failed', { cause: error })));
      }
    });
    page.on('error', (error) => leave(() => reject(error)));
    page.on('end', () => leave(resolve));
  });
}

function silent(silenceMs: number): LodeError {
  return new LodeError('unavailable', `EventStoreDB has said nothing for ${silenceMs} ms.`);
}

function strange(stream: string, revision: bigint | undefined): LodeError {
  return new LodeError(
    'internal',
    `Event ${revision ?? ''} of the stream ${stream} was not written by Lode: nothing can be derived from that stream.`,
  );
}

function covers({ after, to }: Barren, position: LogPosition): boolean {
  return !isAfter(after, position) && isAfter(to, position);
}

function isAfter(a: LogPosition, b: LogPosition | undefined): boolean {
  if (b === undefined) return true;
  return a.commit > b.commit || (a.commit === b.commit && a.prepare > b.prepare);
}
