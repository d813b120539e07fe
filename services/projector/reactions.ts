import type { EventStore } from '#event-store';
import {
  followUpsOf,
  reactors,
  watchLog,
  type FollowUps,
  type ReactorCommands,
  type ReactorName,
} from '#reactors';
import type { Questions } from './questions.js';

/** What follows from the log, for those who carry it out. */
export type Reactions = {
  readonly followUps: <Name extends ReactorName>(reactor: Name) => FollowUps<ReactorCommands[Name]>;
  /** Told by name which of the reactors may have something to do. Gives what ends it. */
  readonly onDue: (listener: (names: readonly string[]) => void) => () => void;
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
      followUps: <Name extends ReactorName>(reactor: Name) => ({
        read: (after, limit) => ask<'followUps', Name>({ what: 'followUps', reactor, after, limit }),
        readAgain: ({ eventId, position, revision, stream }) =>
          ask<'followUp', Name>({
            what: 'followUp',
            reactor,
            place: { eventId, position, revision, stream },
          }),
      }),
      onDue: (listener) => {
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
    followUps: (name) => followUpsOf(reactors[name], log),
    onDue: (listener) => watchLog(log, Object.values(reactors), listener),
  };
}
