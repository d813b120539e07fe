import type { EventStore } from '#event-store';
import type { FileStore } from '#files';
import type { Identity } from '#identity';
import type { Jobs } from '#jobs';
import type { Clock, Position, Random } from '#kernel';
import type { DocumentChange, ModelHealth, Replayed } from '#projections';
import type { ReactorHealth } from '#reactors';
import type { ReadStoreReader } from '#read-store';

/** What the API needs to know of the projector, wherever it runs. */
export type ProjectionFeed = {
  /** Resolves true once queries see everything up to `position`, false after `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  /** Tells which documents changed, a batch at a time. Returns how to stop it. */
  onChanges(listener: (changes: readonly DocumentChange[]) => void): () => void;
  /** Tells that a read model was built anew: whatever was fetched before is to be fetched again. */
  onRebuilt(listener: () => void): () => void;
  status(): Promise<readonly ModelHealth[]>;
  /** Begins to build a model anew beside the one that is read. Refuses with `validation_failed` when there is no such model. */
  rebuild(model: string): Promise<void>;
  /** Folds parked events of a model again: those of a stream, or of all when it is left out. Refuses as `rebuild`. */
  replay(model: string, stream: string | undefined): Promise<Replayed>;
};

/** What the API needs to know of what the program does by itself. */
export type Processes = {
  readonly jobs: Pick<Jobs, 'schedules' | 'runs' | 'runNow'>;
  readonly reactors: () => readonly ReactorHealth[];
  /** Tries everything that reactors could not do again at once. */
  readonly retryReactors: () => void;
};

/** Everything the API stands on. Nothing in it knows which engines these are. */
export type Engines = {
  readonly eventStore: EventStore;
  readonly readStore: ReadStoreReader;
  readonly identity: Identity;
  readonly files: FileStore;
  readonly projections: ProjectionFeed;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly random: Random;
};

/** Where Nest keeps the engines. */
export const ENGINES = Symbol('engines');
