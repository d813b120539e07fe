import {
  invariant,
  LodeError,
  logStart,
  positionOf,
  systemRandom,
  uuidV4,
  type RecordedEvent,
  type SealedEvent,
} from '#kernel';
import {
  appendEach,
  changedHeader,
  changeOf,
  checkAppend,
  checkStreams,
  kindsOf,
  limits,
  onlyTypes,
  type Append,
  type Appended,
  type EventStore,
  type LogHeader,
} from '../port.js';

/** A log that lives as long as the process: for tests, which then need no mocks. Passes the same contract. */
export function createMemoryEventStore(
  log: RecordedEvent[] = [],
  first: LogHeader = { logId: uuidV4(systemRandom), partitions: 1 },
): EventStore {
  let header = first;
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of log) remember(event);
  const listeners = new Set<() => void>();

  function remember(event: RecordedEvent): void {
    const known = streams.get(event.stream);
    if (known === undefined) streams.set(event.stream, [event]);
    else known.push(event);
  }

  function append(request: Append): Appended {
    checkAppend(request);
    const { stream, events } = request;
    checkBytes(events);
    const known = streams.get(stream) ?? [];
    const actual = known.length - 1;
    const first = events[0]?.revision ?? 0;
    if (!fits(request, actual)) {
      const before = known.slice(first, first + events.length);
      const same = before.length === events.length && before.every((event, n) => isSame(event, events[n]));
      if (same) return appendedOf(before);
      throw new LodeError('conflict', 'Somebody else changed this at the same time.', { actual });
    }
    const recorded = events.map((event, index) => ({
      ...structuredClone(event),
      position: positionOf(log.length + 1 + index),
    }));
    log.push(...recorded);
    recorded.forEach(remember);
    for (const listener of listeners) listener();
    return appendedOf(recorded);
  }

  return {
    append: async (request) => append(request),
    appendMany: appendEach(async (request) => append(request)),
    readStream: async (stream, { from, direction = 'forwards', limit }) => {
      const known = streams.get(stream) ?? [];
      if (direction === 'forwards') return known.slice(from ?? 0, (from ?? 0) + limit);
      const end = Math.min(from ?? known.length - 1, known.length - 1) + 1;
      return known.slice(Math.max(0, end - limit), end).reverse();
    },
    readStreams: async (names, limit) => {
      checkStreams(names);
      return names.map((name) => (streams.get(name) ?? []).slice(0, limit));
    },
    readAll: async (after, limit) => log.slice(Number(after), Number(after) + limit),
    readTypes: async (types, after, limit) =>
      onlyTypes(log.slice(Number(after), Number(after) + limit), types, after),
    head: async () => log.at(-1)?.position ?? logStart,
    last: async () => log.at(-1),
    header: async () => header,
    ensureHeader: async () => header,
    kinds: async () => kindsOf(log),
    changeHeader: async (change) => {
      header = changedHeader(header, changeOf(change, header));
    },
    onAppended(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => listeners.clear(),
  };
}

function checkBytes(events: readonly SealedEvent[]): void {
  const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  if (bytes > limits.bytesPerAppend)
    throw new LodeError('body_too_large', `an append holds at most ${limits.bytesPerAppend} bytes`);
}

/** True when an append follows a stream that ends with revision `actual`, -1 for no stream. */
function fits({ expected, events }: Append, actual: number): boolean {
  if (events[0]?.revision !== actual + 1) return false;
  if (expected === 'no-stream') return actual === -1;
  return expected === 'stream-exists' ? actual >= 0 : expected === actual;
}

function appendedOf(events: readonly RecordedEvent[]): Appended {
  const last = events.at(-1);
  invariant(last !== undefined, 'an append holds events');
  return {
    revision: last.revision,
    position: last.position,
    positions: events.map((event) => event.position),
  };
}

function isSame(stored: SealedEvent, sent: SealedEvent | undefined): boolean {
  return stored.id === sent?.id && stored.meta.chain === sent.meta.chain;
}
