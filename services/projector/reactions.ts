import type { EventStore } from '#event-store';
import { followUpsOf, watchLog, type FollowUps, type Reactor } from '#reactors';
import type { Questions } from './questions.js';

/** What follows from the log, for those who carry it out. */
export type Reactions = {
  readonly followUps: <Command>(reactor: Reactor<Command>) => FollowUps<Command>;
  /** Told by name which of the reactors may have something to do. Gives what ends it. */
  readonly onDue: (
    reactors: readonly Reactor<unknown>[],
    listener: (names: readonly string[]) => void,
  ) => () => void;
};

/** The reactions, and what makes them tell. */
export type LiveReactions = {
  readonly reactions: Reactions;
  readonly hear: (names: readonly string[]) => void;
};

/** What the projector's thread reads and decides, so that it holds up no request. */
export function createReactions({ ask }: Pick<Questions, 'ask'>): LiveReactions {
  const listeners = new Set<(names: readonly string[]) => void>();
  return {
    reactions: {
      // The thread has the same reactor under that name, and so gives the same commands.
      followUps: <Command>({ name: reactor }: Reactor<Command>) =>
        ({
          read: (after, limit) => ask({ what: 'followUps', reactor, after, limit }),
          readAgain: ({ eventId, position, revision, stream }) =>
            ask({ what: 'followUp', reactor, place: { eventId, position, revision, stream } }),
        }) as FollowUps<Command>,
      onDue: (_, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    hear: (names) => {
      for (const listener of listeners) listener(names);
    },
  };
}

/** The same in the thread that asks. */
export function reactionsOn(
  log: Pick<EventStore, 'readTypes' | 'readStream' | 'head' | 'onAppended'>,
): Reactions {
  return {
    followUps: (reactor) => followUpsOf(reactor, log),
    onDue: (reactors, listener) => watchLog(log, reactors, listener),
  };
}
