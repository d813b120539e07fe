import type { Clock } from '#kernel';
import { createMemory } from './buckets.js';
import type { IdentityStore } from './port.js';

/** People of whom, and sessions of which, it is remembered that somebody looked. */
const REMEMBERED_MAX = 100_000;

/** The sessions of a person that live, as they were when somebody asked; milliseconds by the monotonic clock. */
type Look = { readonly askedAt: number; readonly living: Promise<ReadonlySet<string>> };

/** Whether sessions live, by the store. */
export type SessionLooks = {
  readonly isAlive: (sessionId: string, userId: string) => Promise<boolean>;
  /** Lets go of what was seen of sessions that have ended. */
  readonly forget: (sessionIds: readonly string[]) => void;
};

/**
 * Looks at all sessions of a person at once, and goes by that for `trustMs`: of ten thousand pages that are told something many times a
 * second, each person costs one look a second. That one has ended is believed of a new look alone.
 */
export function createSessionLooks(parts: {
  readonly store: Pick<IdentityStore, 'sessionsOf'>;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly trustMs: number;
}): SessionLooks {
  const { store, clock, monotonic, trustMs } = parts;
  const looks = createMemory<Look>(REMEMBERED_MAX);
  const peopleOf = createMemory<string>(REMEMBERED_MAX);

  const look = (userId: string): Look => {
    const living = store
      .sessionsOf(userId, clock())
      .then((sessions) => new Set(sessions.map(({ sessionId }) => sessionId)));
    const begun = { askedAt: monotonic(), living };
    looks.set(userId, begun);
    living.catch(() => {
      if (looks.peek(userId) === begun) looks.delete(userId);
    });
    return begun;
  };

  return {
    isAlive: async (sessionId, userId) => {
      peopleOf.set(sessionId, userId);
      const before = looks.get(userId);
      if (before !== undefined && monotonic() - before.askedAt < trustMs)
        if ((await before.living).has(sessionId)) return true;
      // Of those that find the same, the first looks again.
      const after = looks.get(userId);
      const { living } = after === undefined || after === before ? look(userId) : after;
      return (await living).has(sessionId);
    },
    forget: (sessionIds) => {
      for (const sessionId of sessionIds) {
        const userId = peopleOf.get(sessionId);
        if (userId !== undefined) looks.delete(userId);
        peopleOf.delete(sessionId);
      }
    },
  };
}
