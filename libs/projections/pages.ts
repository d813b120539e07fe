import { comparePositions, isOutage, laneOf, LodeError, type Position, type RecordedEvent } from '#kernel';
import { limits as logLimits } from '#event-store';
import type { Checkpoint } from '#read-store';
import type { Delivery } from './delivery.js';
import type { RunnerContext } from './runner-context.js';

/** Some of the log, ready for the read models. */
export type Page = {
  readonly deliveries: readonly Delivery[];
  /** The log had no more. */
  readonly isShort: boolean;
  /** The log had more, past where this read was to end. */
  readonly isPast: boolean;
};

/** Up to `asked` events after a place, and not past `upTo`, each once, as read models get them. */
export async function readPage(
  context: RunnerContext,
  from: Checkpoint,
  asked: number,
  upTo?: Position,
): Promise<Page> {
  const after = from.position;
  const limit = Math.min(asked, logLimits.page);
  const read = await context.log.readAll(after, limit);
  const events = inOrder(read, after);
  const wanted =
    upTo === undefined ? events : events.filter(({ position }) => comparePositions(position, upTo) <= 0);
  await context.prepare(wanted);
  const deliveries = await deliveriesOf(context, wanted, from);
  // A page of nothing but repetitions says nothing about the end of the log.
  const isRepeated = events.length === 0 && read.length > 0;
  const isShort = isRepeated ? comparePositions(await context.log.head(), after) <= 0 : read.length < limit;
  return { deliveries, isShort, isPast: wanted.length < events.length };
}

/** The one event that follows a place. */
export async function openOne(context: RunnerContext, from: Checkpoint): Promise<Delivery | undefined> {
  return (await readPage(context, from, 1)).deliveries[0];
}

/** Opens events, waiting for those that are opened elsewhere. An engine's failure fails the page, unless it is one stream's; any other only its event. */
async function deliveriesOf(
  context: RunnerContext,
  events: readonly RecordedEvent[],
  from: Checkpoint,
): Promise<readonly Delivery[]> {
  let after = from.position;
  let ordinal = from.ordinal;
  let isWaiting = false;
  const deliveries: (Delivery | Promise<Delivery>)[] = [];
  for (const stored of events) {
    ordinal++;
    const delivery = deliver(context, stored, after, ordinal);
    isWaiting ||= delivery instanceof Promise;
    deliveries.push(delivery);
    after = stored.position;
  }
  return isWaiting ? Promise.all(deliveries) : (deliveries as readonly Delivery[]);
}

function deliver(
  context: RunnerContext,
  stored: RecordedEvent,
  after: Position,
  ordinal: number,
): Delivery | Promise<Delivery> {
  const place = { stored, after, ordinal, lane: laneOf(stored.stream, context.lanes.of) };
  try {
    const opened = context.open(stored);
    return opened instanceof Promise
      ? opened.then(
          (event) => ({ ...place, opened: event, failure: undefined }),
          (failure: unknown) => notOpened(place, failure),
        )
      : { ...place, opened, failure: undefined };
  } catch (failure) {
    return notOpened(place, failure);
  }
}

function notOpened(
  place: Omit<Delivery, 'opened' | 'failure'>,
  failure: unknown,
): Delivery | Promise<Delivery> {
  return isOutage(failure) ? Promise.reject(failure) : { ...place, opened: undefined, failure };
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
