import type { Clock, Lanes, Tracer } from '#kernel';
import type { EventStore } from '#event-store';
import type { Build, ReadStore } from '#read-store';
import type { Bookkeeping } from './bookkeeping.js';
import type { DocumentChange } from './delivery.js';
import type { RunnerLimits } from './limits.js';
import type { ModelBuild } from './model-build.js';
import type { Opening } from './personal-data.js';
import type { TracedBatch } from './traced.js';

export type Log = Pick<EventStore, 'readAll' | 'head' | 'header'>;

/** A log that can be folded; damaged documents are made again from its streams, or by another build where it gives none. */
export type FoldedLog = Log & Partial<Pick<EventStore, 'readStream'>>;

/** What the steps of the runner work with. */
export type RunnerContext = Required<Opening> & {
  readonly log: FoldedLog;
  readonly store: ReadStore;
  readonly books: Bookkeeping;
  readonly clock: Clock;
  readonly limits: RunnerLimits;
  /** Those whose events it folds. */
  readonly lanes: Lanes;
  /** Lets messages and timers in between two pages. */
  readonly yieldToEventLoop: () => Promise<void>;
  readonly isStopping: () => boolean;
  /** Whether queries may read a build, where they have read one of another version so far, or none. */
  readonly mayActivate: (build: Build) => Promise<boolean>;
  /** Told after each write which documents of active builds it changed, by reason of which events. */
  readonly wrote: (
    builds: readonly ModelBuild[],
    changes: readonly DocumentChange[],
    batch?: TracedBatch,
  ) => void;
  readonly tracer: Tracer | undefined;
};
