import {
  LodeError,
  type EventText,
  type Position,
  type RecordedEvent,
  type SealedEvent,
  type StoredFact,
  type StreamEvent,
} from '#kernel';

/**
 * What the stream must look like for an append to happen: `no-stream` when it must not exist, `stream-exists` when it
 * must and the events' own revisions say where they go, a number when its last event must have that revision. There is
 * no "anything goes": a money stream is never written without looking.
 */
export type ExpectedRevision = number | 'no-stream' | 'stream-exists';

export type Append = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** At least one, at most `limits.eventsPerAppend`; their `revision`s follow `expected`. */
  readonly events: readonly SealedEvent[];
  /** The texts of each of the events, from who sealed them: an engine that stores texts needs not write them again. */
  readonly texts?: readonly EventText[];
};

export type Appended = {
  /** Revision of the last event of the append. */
  readonly revision: number;
  /** Position of the last event of the append. */
  readonly position: Position;
  /** Position of each event of the append; left out by an engine that tells only the last. */
  readonly positions?: readonly Position[];
};

export type StreamRead = {
  /** Where to start, inclusive; from the first (or, backwards, the last) event when left out. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** At most `limits.page`. */
  readonly limit: number;
};

/** Some types' events of a stretch of the log. */
export type TypesRead = {
  readonly events: readonly RecordedEvent[];
  /** No other event of these types is after where the read began and up to here. */
  readonly scanned: Position;
  /** How many events of any type are there, so that whoever reads on from `scanned` can count the log's. */
  readonly passed: number;
};

/** What lies beside the events of a log. It isn't copied with them: a copy of the events is another log. */
export type LogHeader = {
  /** A UUID. A position means a place in the log of this id, and nothing in any other. */
  readonly logId: string;
  /** How many partitions the log was made for. Fixed with it. */
  readonly partitions: number;
  /** The events of another log are being copied into it: until that is done no program uses it. */
  readonly filling?: boolean;
  /** Where its events were moved to, in words: nobody writes it any more. */
  readonly movedTo?: string;
  /** The id of the log that they were moved to. Logs that were moved before this was kept have none. */
  readonly movedToLog?: string;
  /** The version of the latest program that has had it to write. Logs from before this was kept have none. */
  readonly program?: string;
};

/** Of each type of events that was written to a log, the newest version. */
export type EventKinds = Readonly<Record<string, number>>;

/** Those of some kinds that others don't cover: a type that they don't have, or have in an older version only. */
export function kindsBeyond(kinds: EventKinds, known: EventKinds): EventKinds {
  const beyond = ([type, version]: readonly [string, number]) =>
    !Object.hasOwn(known, type) || version > (known[type] ?? 0);
  return Object.fromEntries(Object.entries(kinds).filter(beyond));
}

/** The kinds of some events. */
export function kindsOf(events: readonly StoredFact[]): EventKinds {
  const newest = new Map<string, number>();
  for (const { type, version } of events) if (version > (newest.get(type) ?? 0)) newest.set(type, version);
  return Object.fromEntries(newest);
}

/**
 * Of some kinds those that every program reads which is there, in the newest version that all of them read: others are not
 * written yet.
 */
export type ReadByAll = (kinds: EventKinds) => Promise<EventKinds>;

/** How soon a command that was refused for an older program may be sent again, in seconds: that one may have ended by then. */
const RETRY_UNREAD_SECONDS = 5;

/** Refuses kinds that an older program would meet and can not read, if there are any; nothing was written of them. */
export function refuseUnread(kinds: EventKinds): void {
  const named = Object.entries(kinds).map(([type, version]) => `${type} of version ${version}`);
  if (named.length === 0) return;
  throw new LodeError(
    'unavailable',
    `An older Lode runs beside this one and does not read ${named.join(', ')}: no such event is written before it has ended.`,
    { retryAfterSeconds: RETRY_UNREAD_SECONDS },
    {
      told: 'An older version of Lode still runs beside this one, and can’t read this. Try again once it has ended.',
    },
  );
}

/** What changes of a log's header. `movedTo` is given anew with `movedToLog`; `null` takes both back. */
export type HeaderChange = Pick<LogHeader, 'filling' | 'movedToLog' | 'program'> & {
  readonly movedTo?: string | null;
};

/** A change of a log's header, or what makes one of the header as it is then, and may be called again with a newer one. */
export type HeaderChanging = HeaderChange | ((header: LogHeader) => HeaderChange);

/** A log's header once it was changed. */
export function changedHeader(header: LogHeader, change: HeaderChange): LogHeader {
  const { movedTo: oldPlace, movedToLog: oldLog, ...rest } = header;
  const { filling, movedTo = oldPlace, program } = change;
  const movedToLog = change.movedTo === undefined ? oldLog : change.movedToLog;
  return {
    ...rest,
    ...(filling === undefined ? {} : { filling }),
    ...(movedTo === undefined || movedTo === null ? {} : { movedTo }),
    ...(movedToLog === undefined ? {} : { movedToLog }),
    ...(program === undefined ? {} : { program }),
  };
}

/** The change that is meant, by the header as it is. */
export function changeOf(change: HeaderChanging, header: LogHeader): HeaderChange {
  return typeof change === 'function' ? change(header) : change;
}

/** Bounds of what one call may ask. */
export const limits = {
  eventsPerAppend: 1_024,
  /** Sum of one append's events as JSON text, so that every engine takes it (EventStoreDB's default is 1 MiB). */
  bytesPerAppend: 1_000_000,
  page: 10_000,
  streamsPerRead: 1_024,
  /** Appends of one thread that wait to be sent to the engine, and about what their JSON texts take together. */
  appendsWaiting: 16_384,
  bytesWaiting: 67_108_864,
} as const;

/**
 * The log. Every adapter passes `describeEventStore` in `event-store/contract`.
 *
 * Errors, all `LodeError`: `conflict` (the stream is not as expected; nothing was written), `unavailable` (the engine
 * cannot be reached; nothing was written), `overloaded` (too much waits already; nothing was written), `storage_full`
 * (nothing was written), `storage_failed` (nothing was written: the disk failed before, and no write is taken any more),
 * `unknown_outcome` (it was handed to the disk or the server, and may or may not have been written: the same append again
 * is safe).
 */
export interface EventStore {
  /**
   * Appends atomically and answers after the events are durable. The same events at the same expected revision again
   * are answered like the first time and written once. The same means the same id and the same chain: events of the
   * same command that were sealed a second time are others, and a `conflict`, so that nobody goes on from a chain that
   * is not in the log.
   */
  append(append: Append): Promise<Appended>;

  /**
   * Appends many times, each as `append` does by itself and to a stream of its own, in as few commits as the engine can
   * do it in. Answers for each in the order given; never throws.
   */
  appendMany(appends: readonly Append[]): Promise<readonly PromiseSettledResult<Appended>[]>;

  /** One page of a stream in revision order; empty when the stream does not exist or ends before `from`. */
  readStream(stream: string, read: StreamRead): Promise<readonly StreamEvent[]>;

  /**
   * The first `limit` events of each of some streams, at most `limits.streamsPerRead`, in the order asked for: what
   * `readStream` gives for each, in as few round trips as the engine can do it in.
   */
  readStreams(streams: readonly string[], limit: number): Promise<readonly (readonly StreamEvent[])[]>;

  /** Up to `limit` events of the whole log after `position`, exclusive, in log order. Never skips one. */
  readAll(after: Position, limit: number): Promise<readonly RecordedEvent[]>;

  /**
   * Up to `limit` events of the given types after `after`, exclusive, in log order, and how far was looked. Never skips
   * one. One call looks through a bounded piece of the log, so that there may be none in it and more behind it: the next
   * call goes on from `scanned`, which is `after` itself once the log has nothing more.
   */
  readTypes(types: readonly string[], after: Position, limit: number): Promise<TypesRead>;

  /**
   * Position of the last event of the log, or `logStart`. Fails with `storage_failed` once the disk has failed: what was
   * handed to it last is known when the log is opened again.
   */
  head(): Promise<Position>;

  /** The last event of the log, which is at `head`; undefined when there is none. Errors as `head`. */
  last(): Promise<RecordedEvent | undefined>;

  /** The log's header; undefined as long as none was made. */
  header(): Promise<LogHeader | undefined>;

  /** The log's header, which is made when there is none. Programs that ask at the same time get the same one. */
  ensureHeader(): Promise<LogHeader>;

  /**
   * Changes the members of the header that are given. Of changes that are made at the same time each one is made, after the
   * other. It keeps nobody from appending. What the function that is given throws is thrown on, and nothing is changed.
   */
  changeHeader(change: HeaderChanging): Promise<void>;

  /**
   * Which kinds of events were written to the log since logs keep that, by whatever program: asked before anything of it is
   * read, so that a program can tell that it doesn't know some. A kind is kept before an event of it is, or with it.
   */
  kinds(): Promise<EventKinds>;

  /** Calls `listener` whenever the log may have grown. It may be called for nothing, and is not told what was written. */
  onAppended(listener: () => void): () => void;

  /** Finishes what is under way and lets go of the engine. */
  close(): Promise<void>;
}

/**
 * Refuses an append of no events, of more than fit, or of events that do not follow one another in its stream: a bug of
 * the caller, so `internal`.
 */
export function checkAppend({ stream, events }: Append): void {
  if (events.length === 0 || events.length > limits.eventsPerAppend) {
    throw new LodeError(
      'internal',
      `an append holds 1 to ${limits.eventsPerAppend} events, not ${events.length}`,
    );
  }
  let expected = events[0]?.revision ?? 0;
  for (const event of events) {
    if (event.revision !== expected || event.stream !== stream)
      throw new LodeError('internal', `the events of an append to ${stream} follow one another in it`);
    expected += 1;
  }
}

/** Refuses an append while as much as may be waits in its thread. */
export function checkWaiting({ appends, bytes }: { readonly appends: number; readonly bytes: number }): void {
  if (appends < limits.appendsWaiting && bytes < limits.bytesWaiting) return;
  throw new LodeError('overloaded', 'Too much is waiting to be written. Try again.');
}

/** Many appends made of single ones: for engines that have nothing better. */
export function appendEach(append: EventStore['append']): EventStore['appendMany'] {
  return (appends) => Promise.allSettled(appends.map((one) => append(one)));
}

/** The read of some types in a page of the whole log that began after `after`: for engines that cannot filter. */
export function onlyTypes(
  page: readonly RecordedEvent[],
  types: readonly string[],
  after: Position,
): TypesRead {
  return {
    events: page.filter(({ type }) => types.includes(type)),
    scanned: page.at(-1)?.position ?? after,
    passed: page.length,
  };
}

/** Refuses a page of more events than may be, or of none: a bug of the caller, so `internal`. */
export function checkPage(limit: number): void {
  if (Number.isInteger(limit) && limit > 0 && limit <= limits.page) return;
  throw new LodeError('internal', `a page holds 1 to ${limits.page} events, not ${limit}`);
}

/** Refuses to read more streams at once than may be: a bug of the caller, so `internal`. */
export function checkStreams(streams: readonly string[]): void {
  if (streams.length <= limits.streamsPerRead) return;
  throw new LodeError('internal', `at most ${limits.streamsPerRead} streams are read at once`);
}
