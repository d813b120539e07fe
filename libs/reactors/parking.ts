import { comparePositions, type Clock, type Position } from '#kernel';
import type { ParkedEvent } from './checkpoints.js';
import type { EventRef } from './follow-ups.js';
import type { ReactorLimits } from './limits.js';

const ERROR_LENGTH = 500;

/** What a reactor owes: events that failed or wait behind one that did, and since the last save, what changed of that. */
export type Parking = {
  readonly count: () => number;
  /** Those that failed as often as an operator should know of. */
  readonly failed: (tries: number) => readonly ParkedEvent[];
  /** True when an event of the key must be handled first. */
  readonly holds: (key: string) => boolean;
  readonly wait: (event: EventRef, key: string) => void;
  readonly fail: (event: EventRef, key: string, error: unknown) => ParkedEvent;
  /** The event is handled: the next of its key is due. */
  readonly release: (parked: ParkedEvent) => void;
  /** The first event of each key whose pause is over, in log order. */
  readonly due: (limit: number) => readonly ParkedEvent[];
  /** Makes every pause end now. */
  readonly hurry: () => void;
  /** Milliseconds until one is due; undefined when nothing is parked. */
  readonly nextIn: () => number | undefined;
  readonly changes: () => { readonly put: readonly ParkedEvent[]; readonly remove: readonly Position[] };
  readonly saved: () => void;
};

/** Begins with what was stored; everything of that is due, because pauses are not stored. */
export function createParking(stored: readonly ParkedEvent[], clock: Clock, limits: ReactorLimits): Parking {
  const keys = new Map<string, ParkedEvent[]>();
  const dueAt = new Map<string, number>();
  const put = new Map<Position, ParkedEvent>();
  const removed = new Set<Position>();
  const inOrder = stored.toSorted((a, b) => comparePositions(a.position, b.position));
  for (const parked of inOrder) queueOf(parked.key).push(parked);

  function queueOf(key: string): ParkedEvent[] {
    const known = keys.get(key) ?? [];
    keys.set(key, known);
    return known;
  }

  /** Puts an event into its key's queue, or in place of what is there of it. */
  function set(parked: ParkedEvent): void {
    const queue = queueOf(parked.key);
    const at = queue.findIndex(({ position }) => position === parked.position);
    if (at < 0) queue.push(parked);
    else queue[at] = parked;
    put.set(parked.position, parked);
    removed.delete(parked.position);
  }

  const found = ({ position }: EventRef, key: string) =>
    keys.get(key)?.find((one) => one.position === position);
  const all = () => [...keys.values()].flat().sort((a, b) => comparePositions(a.position, b.position));
  /** A pause that a clock set back made longer than any is over. */
  const isOver = (at: number, now: number) => at <= now || at - now > limits.retryLastMs;

  return {
    count: () => [...keys.values()].reduce((sum, queue) => sum + queue.length, 0),
    failed: (tries) => all().filter(({ attempts }) => attempts >= tries),
    holds: (key) => keys.has(key),
    wait: (event, key) => {
      // Read again after an engine failed in the middle of a page: what is known of it stays.
      if (found(event, key) !== undefined) return;
      set(parkedOf(event, key, 0, '', new Date(clock()).toISOString()));
    },
    fail: (event, key, error) => {
      const before = found(event, key);
      const attempts = (before?.attempts ?? 0) + 1;
      const first = before === undefined || before.attempts === 0;
      const since = first ? new Date(clock()).toISOString() : before.since;
      const pause = Math.min(limits.retryLastMs, limits.retryFirstMs * 2 ** Math.min(attempts - 1, 20));
      dueAt.set(key, clock() + pause);
      const parked = parkedOf(event, key, attempts, String(error).slice(0, ERROR_LENGTH), since);
      set(parked);
      return parked;
    },
    release: ({ key, position }) => {
      const rest = queueOf(key).filter((one) => one.position !== position);
      if (rest.length === 0) keys.delete(key);
      else keys.set(key, rest);
      dueAt.delete(key);
      put.delete(position);
      removed.add(position);
    },
    due: (limit) => {
      const now = clock();
      const heads = [...keys].flatMap(([key, [head]]) =>
        head !== undefined && isOver(dueAt.get(key) ?? now, now) ? [head] : [],
      );
      return heads.sort((a, b) => comparePositions(a.position, b.position)).slice(0, limit);
    },
    hurry: () => dueAt.clear(),
    nextIn: () => {
      if (keys.size === 0) return undefined;
      const now = clock();
      const soonest = Math.min(...[...keys.keys()].map((key) => dueAt.get(key) ?? now));
      return Math.min(limits.retryLastMs, Math.max(0, soonest - now));
    },
    changes: () => ({ put: [...put.values()], remove: [...removed] }),
    saved: () => {
      put.clear();
      removed.clear();
    },
  };
}

function parkedOf(event: EventRef, key: string, attempts: number, error: string, since: string): ParkedEvent {
  const { position, id, stream, revision, type } = event;
  return { position, eventId: id, stream, revision, type, key, attempts, error, since };
}
