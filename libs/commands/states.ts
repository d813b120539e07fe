import type { Decider, DomainEvent, Timers } from '#kernel';
import type { EventStore } from '#event-store';
import { emptyFold, foldEvent, type Folded } from './fold.js';
import { readPage } from './pages.js';
import { recordEvent } from './processed-commands.js';
import type { StateCache } from './state-cache.js';

/**
 * Events that are read and folded in one go: about two milliseconds of the thread, on which everybody else's commands
 * run as well. An engine may read synchronously, so that a page is no larger.
 */
export const FOLD_MAX = 128;

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
  readonly cache: StateCache;
  readonly timers: Timers;
}): States<S> {
  const { store, decider, timers } = options;
  const inMemory = options.cache.partOf(decider.sizeOf);
  const nextTurn = createPacer(timers);
  /** Streams of which nothing is remembered and that somebody is folding. */
  const beginning = new Map<string, Promise<Folded<S>>>();

  async function load(stream: string): Promise<Folded<S>> {
    const known = inMemory.get(stream);
    if (known !== undefined) return foldOn(stream, known, true);
    const begun = beginning.get(stream);
    // Somebody folds it from its beginning already. Only what has come since that read is left to be read.
    if (begun !== undefined) return foldOn(stream, await begun, true);
    const folding = foldOn(stream, emptyFold(decider.initial), false).finally(() => beginning.delete(stream));
    beginning.set(stream, folding);
    return folding;
  }

  /**
   * Folds the events after `known`. When the state is shared, its command ids are recorded only at the end, so that no
   * reader sees half a command.
   */
  async function foldOn(stream: string, known: Folded<S>, isShared: boolean): Promise<Folded<S>> {
    const recorded: (readonly [commandId: string, revision: number])[] = [];
    let folded = known;
    for (;;) {
      const page = await readPage(store, stream, { from: folded.revision + 1, limit: FOLD_MAX });
      for (const event of page) {
        const { commandId } = event.meta;
        if (isShared) recorded.push([commandId, event.revision]);
        else recordEvent(known.commands, commandId, event.revision);
        folded = foldEvent(decider, folded, event);
      }
      if (page.length < FOLD_MAX) break;
      await nextTurn();
    }
    for (const [commandId, revision] of recorded) recordEvent(known.commands, commandId, revision);
    return keep(stream, folded);
  }

  function keep(stream: string, folded: Folded<S>): Folded<S> {
    const known = inMemory.get(stream);
    if (known !== undefined && known.revision >= folded.revision) return known;
    // A state of no events is not kept.
    if (folded.revision >= 0) inMemory.set(stream, folded);
    return folded;
  }

  return { recall: inMemory.get, load, keep };
}

/** Lets whoever asks go on one after the other, each in a turn of the event loop of its own. */
function createPacer(timers: Timers): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(timers.yieldNow));
}
