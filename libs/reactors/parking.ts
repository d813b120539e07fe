import {
  comparePositions,
  createRetryQueue,
  delay,
  errorText,
  type Clock,
  type Position,
  type Random,
} from '#kernel';
import type { ParkedEvent } from './checkpoints.js';
import type { EventRef } from './follow-ups.js';
import type { ReactorLimits } from './limits.js';

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
  readonly retryNow: () => void;
  /** Milliseconds until one is due; undefined when nothing is parked. */
  readonly nextIn: () => number | undefined;
  readonly changes: () => { readonly put: readonly ParkedEvent[]; readonly remove: readonly Position[] };
  readonly saved: () => void;
};

export type ParkingOptions = {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: Pick<ReactorLimits, 'retryFirstMs' | 'retryLastMs'>;
};

/** Begins with what was stored; everything of that is due, because pauses are not stored. */
export function createParking(
  stored: readonly ParkedEvent[],
  { clock, random, limits }: ParkingOptions,
): Parking {
  const retry = { firstMs: limits.retryFirstMs, lastMs: limits.retryLastMs, jitter: 0 };
  const queue = createRetryQueue(stored, ({ key }) => key);
  const dueAt = new Map<string, number>();
  const put = new Map<Position, ParkedEvent>();
  const removed = new Set<Position>();

  /** Puts an event into its key's queue, or in place of what is there of it. */
  const set = (parked: ParkedEvent) => {
    queue.put(parked);
    put.set(parked.position, parked);
    removed.delete(parked.position);
  };
  const instant = () => new Date(clock()).toISOString();
  /** A pause that a clock set back made longer than any is over. */
  const isOver = (at: number, now: number) => at <= now || at - now > retry.lastMs;

  return {
    count: queue.count,
    failed: (tries) => queue.all().filter(({ attempts }) => attempts >= tries),
    holds: queue.holds,
    wait: (event, key) => {
      // Read again after an engine failed in the middle of a page: what is known of it stays.
      if (queue.at(key, event.position) !== undefined) return;
      set(parkedOf(event, key, 0, '', instant()));
    },
    fail: (event, key, error) => {
      const before = queue.at(key, event.position);
      const attempts = (before?.attempts ?? 0) + 1;
      const since = before === undefined || before.attempts === 0 ? instant() : before.since;
      dueAt.set(key, clock() + delay(attempts, retry, random));
      const parked = parkedOf(event, key, attempts, errorText(error), since);
      set(parked);
      return parked;
    },
    release: (parked) => {
      queue.remove(parked);
      dueAt.delete(parked.key);
      put.delete(parked.position);
      removed.add(parked.position);
    },
    due: (limit) => {
      const now = clock();
      const heads = queue.heads().filter(({ key }) => isOver(dueAt.get(key) ?? now, now));
      return heads.toSorted((a, b) => comparePositions(a.position, b.position)).slice(0, limit);
    },
    retryNow: () => dueAt.clear(),
    nextIn: () => {
      if (queue.count() === 0) return undefined;
      const now = clock();
      const soonest = Math.min(...queue.heads().map(({ key }) => dueAt.get(key) ?? now));
      return Math.min(retry.lastMs, Math.max(0, soonest - now));
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
