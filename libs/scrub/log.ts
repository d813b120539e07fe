import { LRUCache } from 'lru-cache';
import type { EventStore } from '#event-store';
import {
  chainHolds,
  chainStart,
  comparePositions,
  isLodeError,
  logStart,
  parsePosition,
  type Position,
  type RecordedEvent,
} from '#kernel';
import type { ReadStoreReader } from '#read-store';
import { compareCounts, type Counts } from './counts.js';
import type { Found, Look, Looking } from './look.js';

type Log = Pick<EventStore, 'readAll' | 'readStream'>;

/** Events that are looked at together: a few milliseconds of work. */
const PAGE = 200;
/** Streams whose last event is remembered; of any other it is read again. */
const STREAMS_MAX = 20_000;
/** How often read models that are behind the log are waited for, before they are left for the next day. */
const TRIES_MAX = 100;

/** Where a look at the log is, and what it has counted so far by itself. */
type Place = { readonly after: Position; readonly counts: Counts; readonly tries: number };

const beginning: Place = { after: logStart, counts: {}, tries: 0 };

/**
 * Looks at every event: whether it can be read, and follows the one before it in its stream by its revision and its hash. It
 * counts them by their types; at the end of the log, what the read models count is compared with that.
 */
export function lookAtLog(
  log: Log,
  models: Pick<ReadStoreReader, 'checkpoint' | 'get' | 'keys' | 'list'>,
): Looking {
  const heads = new LRUCache<string, Pick<RecordedEvent, 'revision'> & { readonly chain: string }>({
    max: STREAMS_MAX,
  });

  const wrongWith = async (event: RecordedEvent): Promise<string | undefined> => {
    const { stream, revision, meta } = event;
    const before = heads.get(stream) ?? (await headBefore(log, event));
    heads.set(stream, { revision, chain: meta.chain });
    if (before === undefined || before.revision !== revision - 1)
      return 'the event before it in its stream is missing';
    return chainHolds(before.chain, event) ? undefined : 'its hash is not that of its content';
  };

  return async (at) => {
    const place = at === undefined ? beginning : (JSON.parse(at) as Place);
    const { events, broken } = await pageOf(log, place.after);
    const found: Found[] = [];
    for (const event of events) {
      const wrong = await wrongWith(event);
      if (wrong !== undefined)
        found.push({
          what: `The event at position ${event.position} (${event.stream}) is damaged: ${wrong}.`,
        });
    }
    const counts = countedOn(place.counts, events);
    const after = events.at(-1)?.position ?? place.after;
    if (broken !== undefined) {
      const passed = parsePosition(broken.position);
      found.push({ what: broken.what });
      // What is wrong with no event in particular can't be passed over.
      if (passed === undefined || comparePositions(passed, after) <= 0)
        return { looked: events.length, found, next: undefined };
      // Not counted: the read models may have it.
      return { looked: events.length, found, next: JSON.stringify({ after: passed, counts: {}, tries: -1 }) };
    }
    const look = { looked: events.length, found };
    if (events.length === PAGE) return { ...look, next: JSON.stringify({ ...place, after, counts }) };
    return atEnd(log, models, { look, place: { ...place, after, counts } });
  };
}

/** At the end of the log. A log of which something could not be read is compared with nothing. */
async function atEnd(
  log: Log,
  models: Parameters<typeof compareCounts>[1],
  { look, place }: { readonly look: Omit<Look, 'next'>; readonly place: Place },
): Promise<Look> {
  if (place.tries < 0 || place.tries >= TRIES_MAX) return { ...look, next: undefined };
  const compared = await compareCounts(log, models, place);
  if (compared === 'behind') return { ...look, next: JSON.stringify({ ...place, tries: place.tries + 1 }) };
  return { ...look, found: [...look.found, ...compared], next: undefined };
}

/** The events behind a place; those before the first that can't be read, and what is said of it. */
async function pageOf(
  log: Log,
  after: Position,
): Promise<{
  readonly events: readonly RecordedEvent[];
  readonly broken?: { readonly position: string; readonly what: string };
}> {
  try {
    return { events: await log.readAll(after, PAGE) };
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
    const { position } = error.details;
    const broken = { position: typeof position === 'string' ? position : '', what: error.message };
    return { events: await readable(log, after), broken };
  }
}

/** The events behind a place that can be read, one by one, up to the first that can't. */
async function readable(log: Log, after: Position): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let at = after; events.length < PAGE;) {
    try {
      const [event] = await log.readAll(at, 1);
      if (event === undefined) return events;
      events.push(event);
      at = event.position;
    } catch (error) {
      if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
      return events;
    }
  }
  return events;
}

/** The event before another in its stream; undefined where it can't be read or is not there. */
async function headBefore(log: Log, { stream, revision }: RecordedEvent) {
  if (revision === 0) return { revision: -1, chain: chainStart };
  try {
    const [before] = await log.readStream(stream, { from: revision - 1, limit: 1 });
    return before && { revision: before.revision, chain: before.meta.chain };
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
    return undefined;
  }
}

function countedOn(counts: Counts, events: readonly RecordedEvent[]): Counts {
  const next: Record<string, number> = { ...counts };
  for (const { type } of events) next[type] = (next[type] ?? 0) + 1;
  return next;
}
