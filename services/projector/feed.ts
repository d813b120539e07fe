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
  /** Another program's changes were not heard of: whatever was fetched before is to be fetched again. */
  readonly forget: () => void;
  /** Whether anybody hears of changes. */
  readonly isListened: () => boolean;
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
  const listeners = new Set<(changes: readonly DocumentChange[]) => void>();
  const rebuilt = new Set<() => void>();
  const feed: ProjectionFeed = {
    waitFor: gate.waitFor,
    onChanges: (listener) => {
      listeners.add(listener);
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
  return {
    feed,
    forget,
    hear: (report) => {
      if (report.type === 'activated') forget();
      else {
        gate.reached(report.position);
        if (report.changes.length > 0) for (const listener of listeners) listener(report.changes);
      }
    },
    isListened: () => listeners.size > 0,
    end: gate.close,
  };
}
