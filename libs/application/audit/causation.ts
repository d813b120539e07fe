import { comparePositions, logStart, type StreamEvent } from '#kernel';
import { eventOf, findEvent, listEvents, readEvents, type Found, type Log } from './find.js';
import { searchEvents } from './search.js';

/** Events that one answer holds, and pages of the search that it takes to find them. */
const EVENTS_MAX = 200;
const PAGE = 100;
const PAGES_MAX = 4;

/** An event in the tree of what caused what. */
export type Caused = { readonly event: StreamEvent; readonly parent: string | null; readonly depth: number };

/**
 * The events that an event belongs together with: those that led to it, those of the same correlation, and those that
 * any of them caused. A tree in the order of reading, at most `EVENTS_MAX` of them. Refuses with `event_not_found`.
 */
export async function causationOf(
  log: Log,
  id: string,
): Promise<{
  readonly correlationId: string;
  readonly events: readonly Caused[];
  readonly truncated: boolean;
}> {
  const { event } = await eventOf(log, id);
  const { correlationId } = event.meta;
  const known = new Map<string, StreamEvent>([[id, event]]);
  const isFull = () => known.size >= EVENTS_MAX;
  await addCauses(log, event, known, isFull);
  const hasMore = await addCorrelated(log, correlationId, known, isFull);
  const hasMoreStill = await addEffects(log, known, isFull);
  return { correlationId, events: treeOf(known), truncated: hasMore || hasMoreStill };
}

/** The event that caused it, the one that caused that one, and so on. */
async function addCauses(
  log: Log,
  event: StreamEvent,
  known: Map<string, StreamEvent>,
  isFull: () => boolean,
): Promise<void> {
  let effect = event;
  while (!isFull() && effect.meta.causationId !== effect.meta.commandId) {
    const cause: Found | undefined = await findEvent(log, effect.meta.causationId);
    if (cause === undefined || known.has(cause.event.id)) return;
    known.set(cause.event.id, cause.event);
    effect = cause.event;
  }
}

/** The events of the correlation, oldest first; true when not all were added. */
async function addCorrelated(
  log: Log,
  correlationId: string,
  known: Map<string, StreamEvent>,
  isFull: () => boolean,
): Promise<boolean> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const found = await searchEvents(log, { correlationId, order: 'oldest', limit: PAGE, cursor });
    for (const event of found.items) {
      if (known.has(event.id)) continue;
      if (isFull()) return true;
      known.set(event.id, event);
    }
    if (found.next === null) return false;
    cursor = found.next;
  }
  return true;
}

/** What the events caused, and what that caused; true when not all were added. */
async function addEffects(
  log: Log,
  known: Map<string, StreamEvent>,
  isFull: () => boolean,
): Promise<boolean> {
  // A map that grows while it is gone through gives what was added, too.
  for (const causationId of known.keys()) {
    const stretch = { direction: 'ascending', limit: EVENTS_MAX } as const;
    const rows = await listEvents(log, 'causation', { causationId }, stretch);
    for (const { event } of await readEvents(log, rows)) {
      if (known.has(event.id)) continue;
      if (isFull()) return true;
      known.set(event.id, event);
    }
  }
  return false;
}

function treeOf(known: ReadonlyMap<string, StreamEvent>): readonly Caused[] {
  const parentOf = ({ meta }: StreamEvent) => (known.has(meta.causationId) ? meta.causationId : null);
  const ordered = [...known.values()].sort(byPlace);
  const effects = Map.groupBy(ordered, parentOf);
  const tree: Caused[] = [];
  const add = (parent: string | null, depth: number) => {
    for (const event of effects.get(parent) ?? []) {
      tree.push({ event, parent, depth });
      add(event.id, depth + 1);
    }
  };
  add(null, 0);
  return tree;
}

function byPlace(a: StreamEvent, b: StreamEvent): number {
  return comparePositions(a.position ?? logStart, b.position ?? logStart);
}
