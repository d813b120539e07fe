import { comparePositions, systemTimers, type Position, type RecordedEvent, type Timers } from '#kernel';
import { checkPage, onlyTypes, type EventStore, type TypesRead } from './port.js';

/** What is kept of the log's end for those who follow it: events, and about what their JSON texts take together. */
export const sharedLimits = { events: 4_000, bytes: 8_388_608 } as const;

/** Events of the log with none left out between `after`, exclusive, and the last of them. */
type Stretch = { after: Position; events: RecordedEvent[]; sizes: number[]; bytes: number };

/** A page that is asked for, for everyone who asks before it is. */
type Reading = { count: number; readonly events: Promise<readonly RecordedEvent[]> };

/** Shared reads: what they work with, and how they stand. */
type Shared = {
  readonly store: EventStore;
  readonly timers: Timers;
  /** The last events of the log that were read, for who comes to them a little later. */
  stretch: Stretch | undefined;
  /** The head of the log, while it is asked for. */
  head: Promise<Position> | undefined;
  /** By where they begin: readings that others may still join, and those that are under way. */
  readonly planned: Map<Position, Reading>;
  readonly underWay: Map<Position, Reading>;
};

/**
 * The log for all who follow it on one thread: pages at its end are read once. Who asks in the same turn of the event loop
 * shares a reading, who asks a little later gets what was read, and who is further behind reads for himself: nobody waits
 * for anybody slower, and what is kept is bounded.
 *
 * That the log has no more is only taken from a reading that began after it was asked: else somebody who was woken by an
 * event could be told that there is none.
 */
export function shareReads(store: EventStore, timers: Timers = systemTimers): EventStore {
  const state = { stretch: undefined, head: undefined };
  const shared: Shared = { store, timers, ...state, planned: new Map(), underWay: new Map() };
  return {
    ...store,
    readAll: async (after, limit) => {
      checkPage(limit);
      return readAll(shared, after, limit);
    },
    readTypes: async (types, after, limit) => {
      checkPage(limit);
      return readTypes(shared, types, after, limit);
    },
    close: () => {
      shared.stretch = undefined;
      return store.close();
    },
  };
}

async function readTypes(
  shared: Shared,
  types: readonly string[],
  after: Position,
  limit: number,
): Promise<TypesRead> {
  const stretch = await stretchOf(shared);
  const held = heldAfter(stretch, after, limit);
  if (held.length > 0) return onlyTypes(held, types, after);
  // Who is behind has no use for the events between those of his types, which the engine may be able to pass over.
  if (comparePositions(after, stretch.after) < 0) {
    const own = await shared.store.readTypes(types, after, limit);
    if (comparePositions(own.scanned, endOf(stretch)) <= 0) return own;
  }
  return onlyTypes(await readAll(shared, after, limit), types, after);
}

async function readAll(shared: Shared, after: Position, limit: number): Promise<readonly RecordedEvent[]> {
  // 1. What is kept.
  const held = heldAfter(await stretchOf(shared), after, limit);
  if (held.length === limit) return held;
  const from = held.at(-1)?.position ?? after;
  const wanted = limit - held.length;

  // 2. What somebody reads already. That may be from before the newest events: the rest is asked for after it.
  const reading = await shared.underWay.get(from)?.events;
  const read = reading?.slice(0, wanted) ?? [];
  if (read.length === wanted) return [...held, ...read];

  // 3. The rest.
  const rest = await readWithOthers(shared, read.at(-1)?.position ?? from, wanted - read.length);
  return held.length + read.length === 0 ? rest : [...held, ...read, ...rest];
}

/** What is kept: at first nothing but where the log ends, so that it is known who is behind. */
async function stretchOf(shared: Shared): Promise<Stretch> {
  if (shared.stretch !== undefined) return shared.stretch;
  shared.head ??= shared.store.head().finally(() => (shared.head = undefined));
  const after = await shared.head;
  return (shared.stretch ??= { after, events: [], sizes: [], bytes: 0 });
}

/** A page that is not asked for yet, read together with those who want one from the same place. */
async function readWithOthers(
  shared: Shared,
  from: Position,
  wanted: number,
): Promise<readonly RecordedEvent[]> {
  let reading = shared.planned.get(from);
  if (reading === undefined) {
    const events = Promise.withResolvers<readonly RecordedEvent[]>();
    reading = { count: wanted, events: events.promise };
    shared.planned.set(from, reading);
    void carryOut(shared, from, reading).then(events.resolve, events.reject);
  }
  reading.count = Math.max(reading.count, wanted);
  const events = await reading.events;
  return events.length > wanted ? events.slice(0, wanted) : events;
}

async function carryOut(shared: Shared, from: Position, reading: Reading): Promise<readonly RecordedEvent[]> {
  const { planned, underWay } = shared;
  await shared.timers.yieldNow();
  planned.delete(from);
  underWay.set(from, reading);
  try {
    const events = await shared.store.readAll(from, reading.count);
    keep(shared, from, events, events.length < reading.count);
    return events;
  } catch (error) {
    // What answers next may be a server that was put back from a backup.
    shared.stretch = undefined;
    throw error;
  } finally {
    if (underWay.get(from) === reading) underWay.delete(from);
  }
}

/**
 * Keeps a page that goes on from what is kept, or that came to the end of the log. Any other is of somebody who catches
 * up, and nobody will want it soon.
 */
function keep(shared: Shared, from: Position, events: readonly RecordedEvent[], isEnd: boolean): void {
  const end = shared.stretch && endOf(shared.stretch);
  const goesOn = from === end;
  const last = events.at(-1)?.position ?? from;
  if (!goesOn && !(isEnd && (end === undefined || comparePositions(last, end) > 0))) return;
  if (!goesOn) shared.stretch = undefined;
  const into = (shared.stretch ??= { after: from, events: [], sizes: [], bytes: 0 });
  for (const event of events) {
    const size = JSON.stringify(event).length;
    into.events.push(event);
    into.sizes.push(size);
    into.bytes += size;
  }
  trim(into);
}

function endOf({ after, events }: Stretch): Position {
  return events.at(-1)?.position ?? after;
}

/** Lets go of the oldest events that are more than may be kept. */
function trim(stretch: Stretch): void {
  const { events, sizes } = stretch;
  let gone = 0;
  while (events.length - gone > sharedLimits.events || stretch.bytes > sharedLimits.bytes) {
    stretch.bytes -= sizes[gone] ?? 0;
    stretch.after = events[gone]?.position ?? stretch.after;
    gone++;
  }
  events.splice(0, gone);
  sizes.splice(0, gone);
}

/** Up to `limit` kept events after a position; none where something between it and them is not kept. */
function heldAfter(stretch: Stretch, after: Position, limit: number): readonly RecordedEvent[] {
  if (comparePositions(after, stretch.after) < 0) return [];
  const { events } = stretch;
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const event = events[middle];
    if (event !== undefined && comparePositions(event.position, after) <= 0) low = middle + 1;
    else high = middle;
  }
  return events.slice(low, low + limit);
}
