import { comparePositions, isEngineError, LodeError, type Position, type RecordedEvent } from '#kernel';
import { limits as logLimits } from '#event-store';
import type { Delivery } from './fold.js';
import type { Works } from './works.js';

/** Some of the log, ready for the read models. */
export type Page = {
  readonly deliveries: readonly Delivery[];
  /** The log had no more. */
  readonly isShort: boolean;
  /** The log had more, past where this read was to end. */
  readonly isPast: boolean;
};

/** Up to `asked` events after `after`, and not past `upTo`, each once, with personal data opened. */
export async function readPage(works: Works, after: Position, asked: number, upTo?: Position): Promise<Page> {
  const limit = Math.min(asked, logLimits.page);
  const read = await works.log.readAll(after, limit);
  const events = inOrder(read, after);
  const wanted =
    upTo === undefined ? events : events.filter(({ position }) => comparePositions(position, upTo) <= 0);
  const opening: (RecordedEvent | Promise<RecordedEvent>)[] = [];
  const failures = new Map<number, unknown>();
  wanted.forEach((event, n) => {
    try {
      opening.push(works.open(event));
    } catch (error) {
      failures.set(n, error);
      opening.push(event);
    }
  });
  const deliveries = await opened(wanted, opening, failures, after);
  // A page of nothing but repetitions says nothing about the end of the log.
  const isRepeated = events.length === 0 && read.length > 0;
  const isShort = isRepeated ? comparePositions(await works.log.head(), after) <= 0 : read.length < limit;
  return { deliveries, isShort, isPast: wanted.length < events.length };
}

/** The one event that follows `after`, opened. */
export async function openOne(works: Works, after: Position): Promise<Delivery | undefined> {
  return (await readPage(works, after, 1)).deliveries[0];
}

/** Waits for events that are opened elsewhere. An engine's failure fails the page; any other only its event. */
async function opened(
  events: readonly RecordedEvent[],
  opening: readonly (RecordedEvent | Promise<RecordedEvent>)[],
  failures: Map<number, unknown>,
  from: Position,
): Promise<readonly Delivery[]> {
  const settled = opening.some((one) => one instanceof Promise)
    ? await Promise.allSettled(opening)
    : undefined;
  let after = from;
  return events.map((event, n) => {
    const outcome = settled?.[n];
    const failure = outcome?.status === 'rejected' ? (outcome.reason as unknown) : failures.get(n);
    if (isEngineError(failure)) throw failure;
    const ready =
      outcome?.status === 'fulfilled' ? outcome.value : settled === undefined ? opening[n] : event;
    const delivery = { event: ready as RecordedEvent, after, ...(failure === undefined ? {} : { failure }) };
    after = event.position;
    return delivery;
  });
}

/**
 * The events after `after`, each once. An engine may deliver one again; one that comes late, after a later one and for
 * the first time, would be lost behind the checkpoint, so that the page is refused and read again.
 */
function inOrder(read: readonly RecordedEvent[], after: Position): readonly RecordedEvent[] {
  let before = after;
  const isRising = read.every(({ position }) => {
    const rises = comparePositions(before, position) < 0;
    before = position;
    return rises;
  });
  if (isRising) return read;
  const seen = new Set<Position>();
  let last = after;
  return read.filter(({ position }) => {
    if (comparePositions(position, after) <= 0 || seen.has(position)) return false;
    if (comparePositions(position, last) < 0)
      throw new LodeError('unavailable', `The log gave position ${position} after ${last}.`);
    seen.add(position);
    last = position;
    return true;
  });
}
