import type { EventStore } from '#event-store';
import { chainHolds, chainStart, type StreamEvent } from '#kernel';

/** A page of a stream, in the order asked for. */
export type StreamSlice = {
  /** Of the stream's last event; null when it has none. */
  readonly revision: number | null;
  readonly events: readonly StreamEvent[];
  readonly next: number | null;
  readonly previous: number | null;
  readonly chainVerified: boolean;
};

/** Where a page of a stream begins, which way it goes, and how many events it has at most. */
export type SliceAsked = {
  readonly from?: number | undefined;
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
};

/** A page of a stream from revision `from` on, and whether each of its events follows from the one before it. */
export async function readSlice(store: EventStore, stream: string, asked: SliceAsked): Promise<StreamSlice> {
  const { order, limit } = asked;
  const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  if (last === undefined)
    return { revision: null, events: [], next: null, previous: null, chainVerified: true };
  const isNewestFirst = order === 'newest';
  const start = isNewestFirst
    ? Math.min(asked.from ?? last.revision, last.revision)
    : Math.min(asked.from ?? 0, last.revision + 1);
  const oldest = isNewestFirst ? Math.max(0, start - limit + 1) : start;
  const newest = isNewestFirst ? start : Math.min(start + limit - 1, last.revision);
  // The one before the page is read as well: the first of the page is chained to it.
  const from = Math.max(0, oldest - 1);
  const read = await store.readStream(stream, { from, limit: newest - from + 1 });
  const page = read.filter(({ revision }) => revision >= oldest);
  const isWhole = page.length === newest - oldest + 1;
  const onwards = isNewestFirst ? oldest - 1 : newest + 1;
  const back = isNewestFirst ? start + limit : start - limit;
  return {
    revision: last.revision,
    events: isNewestFirst ? page.toReversed() : page,
    next: onwards >= 0 && onwards <= last.revision ? onwards : null,
    previous: isNewestFirst
      ? start === last.revision
        ? null
        : Math.min(back, last.revision)
      : start === 0
        ? null
        : Math.max(0, back),
    chainVerified: isWhole && page.every((event) => isChained(event, read)),
  };
}

function isChained(event: StreamEvent, read: readonly StreamEvent[]): boolean {
  if (event.revision === 0) return chainHolds(chainStart, event);
  const before = read.find(({ revision }) => revision === event.revision - 1);
  return before !== undefined && chainHolds(before.meta.chain, event);
}
