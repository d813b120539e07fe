import { LRUCache } from 'lru-cache';
import type { Decider, DomainEvent } from '#kernel';
import type { EventStore } from '#event-store';
import { emptyFold, foldEvent, recordCommand, type Folded, type ProcessedCommand } from './fold.js';

/** Folded streams that are kept in memory. */
const CACHE_MAX = 100_000;
/** Events that they have in all: what a state remembers of each is about 600 bytes. */
const CACHE_EVENTS_MAX = 1_000_000;
/** A long stream counts as no more than this: reading it again costs more than keeping it. */
const CACHE_EVENTS_COUNTED = 4_000;
/** Events read from a stream at a time. */
const LOAD_PAGE = 1_000;

/** The folded streams of one aggregate. */
export type States<S> = {
  /** What is remembered of a stream; somebody else may have written to it since. */
  recall(stream: string): Folded<S> | undefined;
  /** The stream folded up to the last event that the log has now. */
  load(stream: string): Promise<Folded<S>>;
  /** Keeps a state of the log unless a newer one is known: a slow read must not undo a fast append. */
  keep(stream: string, folded: Folded<S>): Folded<S>;
};

/** The states of an aggregate's streams: remembered, else folded from the log. */
export function createStates<C, E extends DomainEvent, S>(options: {
  readonly store: EventStore;
  readonly decider: Decider<C, E, S>;
  readonly cacheMax?: number;
  readonly cacheEventsMax?: number;
}): States<S> {
  const { store, decider } = options;
  const cache = new LRUCache<string, Folded<S>>({
    max: options.cacheMax ?? CACHE_MAX,
    maxSize: options.cacheEventsMax ?? CACHE_EVENTS_MAX,
    // A state of no events is not kept.
    sizeCalculation: ({ revision }) => Math.min(revision + 1, CACHE_EVENTS_COUNTED),
  });

  async function load(stream: string): Promise<Folded<S>> {
    const known = cache.get(stream) ?? emptyFold(decider.initial);
    // The commands are remembered at the end only: until then others decide on what is remembered, and must not meet
    // half of a command there.
    const learned = new Map<string, ProcessedCommand>();
    let folded = known;
    for (;;) {
      const page = await store.readStream(stream, { from: folded.revision + 1, limit: LOAD_PAGE });
      for (const event of page) {
        recordCommand(learned, event);
        folded = foldEvent(decider, folded, event);
      }
      if (page.length < LOAD_PAGE) break;
    }
    for (const [commandId, processed] of learned) known.commands.set(commandId, processed);
    return keep(stream, folded);
  }

  function keep(stream: string, folded: Folded<S>): Folded<S> {
    const known = cache.get(stream);
    if (known !== undefined && known.revision >= folded.revision) return known;
    if (folded.revision >= 0) cache.set(stream, folded);
    return folded;
  }

  return { recall: (stream) => cache.get(stream), load, keep };
}
