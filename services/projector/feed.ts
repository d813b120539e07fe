import type { Timers } from '#kernel';
import {
  createPositionGate,
  type DocumentChange,
  type ProjectionFeed,
  type RunnerReport,
} from '#projections';
import type { ToProjector } from './messages.js';
import type { Questions } from './questions.js';

/** Queries that may wait for a position at once. */
const WAITERS_MAX = 10_000;

/** The feed, and what makes it tell. */
export type LiveFeed = {
  readonly feed: ProjectionFeed;
  readonly hear: (report: Extract<RunnerReport, { type: 'advanced' | 'activated' }>) => void;
  /** Some documents were changed: tells whoever hears of that. */
  readonly tellChanges: (changes: readonly DocumentChange[]) => void;
  /** Another program's changes were not heard of: whatever was fetched before is to be fetched again. */
  readonly forget: () => void;
  /** Whether anybody hears of changes. */
  readonly isListened: () => boolean;
  /** Whether anybody does just now for whom they are worth to be found out. */
  readonly isHeard: () => boolean;
  /** Whether anybody waits for a position. */
  readonly isAwaited: () => boolean;
  /** Hears each time that somebody begins to wait for a position. */
  readonly onAwaited: (listener: () => void) => void;
  /** Answers everyone who waits for a position with false. */
  readonly end: () => void;
};

/** What the program knows of a projector that it hears of and asks by messages. */
export function createFeed(
  tell: (message: ToProjector) => void,
  { ask }: Pick<Questions, 'ask'>,
  timers: Timers,
): LiveFeed {
  const gate = createPositionGate(timers, WAITERS_MAX);
  let awaiting = 0;
  let hearAwaited = () => {};
  const listeners = new Map<(changes: readonly DocumentChange[]) => void, () => boolean>();
  const rebuilt = new Set<() => void>();
  const feed: ProjectionFeed = {
    waitFor: (position, timeoutMs, subject) => {
      const reached = gate.waitFor(position, timeoutMs, subject);
      if (gate.has(position, subject)) return reached;
      awaiting += 1;
      hearAwaited();
      return reached.finally(() => (awaiting -= 1));
    },
    onChanges: (listener, isHeard = () => true) => {
      listeners.set(listener, isHeard);
      tell({ kind: 'listening', listening: true });
      return () => {
        listeners.delete(listener);
        tell({ kind: 'listening', listening: listeners.size > 0 });
      };
    },
    onRebuilt: (listener) => {
      rebuilt.add(listener);
      return () => rebuilt.delete(listener);
    },
    status: async () => (await ask({ what: 'health' })).models,
    overwrite: async (position, stream) => {
      await ask({ what: 'overwrite', position, stream });
    },
    rebuild: async (model) => {
      await ask({ what: 'rebuild', model });
    },
    cancelRebuild: (model) => ask({ what: 'cancelRebuild', model }),
    parked: (model, asked) => ask({ what: 'parked', model, asked }),
    discard: (model, eventId) => ask({ what: 'discard', model, eventId }),
    replay: (model, stream) => ask({ what: 'replay', model, stream }),
  };
  const forget = () => {
    for (const listener of rebuilt) listener();
  };
  const tellChanges = (changes: readonly DocumentChange[]) => {
    if (changes.length > 0) for (const listener of listeners.keys()) listener(changes);
  };
  return {
    feed,
    tellChanges,
    forget,
    hear: (report) => {
      if (report.type === 'activated') forget();
      else {
        gate.reached(report.position, report.lanes);
        tellChanges(report.changes);
      }
    },
    isListened: () => listeners.size > 0,
    isHeard: () => [...listeners.values()].some((isHeard) => isHeard()),
    isAwaited: () => awaiting > 0,
    onAwaited: (listener) => {
      hearAwaited = listener;
    },
    end: gate.close,
  };
}
