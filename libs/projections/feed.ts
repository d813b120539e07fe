import type { Position } from '#kernel';
import type { DocumentChange } from './delivery.js';
import type { ModelHealth } from './health.js';
import type { ParkedEvent, ParkedQuery } from './parking.js';
import type { Replayed } from './replay.js';

/** What the rest of a program needs to know of the projector, wherever it runs. */
export type ProjectionFeed = {
  /**
   * Resolves true once queries see everything up to `position`, or, where a subject is given, everything in streams about it;
   * false after `timeoutMs`.
   */
  waitFor(position: Position, timeoutMs: number, subject?: string): Promise<boolean>;
  /**
   * Tells which documents changed, a batch at a time, and where finding that out costs something only while `isHeard` says that
   * somebody hears of it. Returns how to stop it.
   */
  onChanges(listener: (changes: readonly DocumentChange[]) => void, isHeard?: () => boolean): () => void;
  /** Tells that a read model was built anew: whatever was fetched before is to be fetched again. */
  onRebuilt(listener: () => void): () => void;
  /**
   * Overwrites what read models have had of a stream, which the log says at `position` to be forgotten. Throws
   * `unavailable` while they still have it, or somebody reads them as they were: then it is to be repeated.
   */
  overwrite(position: Position, stream: string): Promise<void>;
  status(): Promise<readonly ModelHealth[]>;
  /** Begins to build a model anew beside the one that is read. Refuses with `route_not_found` when there is no such model. */
  rebuild(model: string): Promise<void>;
  /**
   * Ends the building of a model anew; what is read stays. False when none was under way. Refuses as `rebuild`, and
   * while there is nothing else to be read.
   */
  cancelRebuild(model: string): Promise<boolean>;
  /** Some parked, waiting and discarded events of a model, in log order. Refuses as `rebuild`. */
  parked(model: string, asked: ParkedQuery): Promise<readonly ParkedEvent[]>;
  /** Leaves out a parked event of a model; undefined when it is not parked. Refuses as `rebuild`, and one that waits. */
  discard(model: string, eventId: string): Promise<Replayed | undefined>;
  /** Folds parked events of a model again: those of a stream, or of all when it is left out. Refuses as `rebuild`. */
  replay(model: string, stream: string | undefined): Promise<Replayed>;
};
