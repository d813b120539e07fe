import type { Position } from '#kernel';
import type { Checkpoint } from '#read-store';
import type { Mark } from './bookkeeping.js';
import type { DocumentChange } from './delivery.js';
import type { Fold } from './fold.js';

/** A build of a read model that the runner folds, and how far it is. Only the runner changes it. */
export type ModelBuild = {
  readonly fold: Fold;
  /** Queries read it. */
  isActive: boolean;
  /** As of here its documents and parked events are in the store. */
  checkpoint: Checkpoint;
  /** Events that crash recovery still takes in small parts: the process died while it handled a batch of as many. */
  toRecover: number;
  /** What crash recovery was handling in each lane when a process died again: a poison event is suspected in it. */
  suspected: readonly Mark[];
  /** Where it was first found ready to be read, while lanes of others are not. */
  readyAt: Position | undefined;
  /** Too many parked events: it stands still until some are replayed or it is built again. Or it `isUnsure`. */
  isHalted: boolean;
  /** Documents may have an event that can't be folded any more: another build takes its place. */
  isUnsure: boolean;
  /** Something in it is damaged and can't be mended by itself: another build takes its place. */
  isDamaged: boolean;
  /** The documents that were found damaged and are not mended, by their ids; an empty one is an index. */
  readonly damaged: Set<string>;
  /** What is parked may be other than in the store, as nobody heard the end of a replay. */
  isParkingUnsure: boolean;
  /** By the documents' ids, changes that may have been written and nobody was told of. */
  readonly untold: Map<string, DocumentChange>;
  /** As many parked events were last reported. */
  parkedReported: number;
  /** When its checkpoint last moved, by the clock, and when and where it was first seen to move. */
  moved:
    { readonly at: number; readonly first: { readonly at: number; readonly ordinal: number } } | undefined;
  /** When the oldest event that waits was written, as far as is known; milliseconds. Undefined when none waits. */
  waitingSince: number | undefined;
  /** Since when events wait and nothing advanced, by the clock. */
  stuckSince: number | undefined;
};

export function createModelBuild(fold: Fold, isActive: boolean, checkpoint: Checkpoint): ModelBuild {
  return {
    fold,
    isActive,
    checkpoint,
    toRecover: 0,
    suspected: [],
    readyAt: undefined,
    isHalted: false,
    isUnsure: false,
    isDamaged: false,
    damaged: new Set(),
    isParkingUnsure: false,
    untold: new Map(),
    parkedReported: fold.parking.count(),
    moved: undefined,
    waitingSince: undefined,
    stuckSince: undefined,
  };
}

/** Events wait for this build, the oldest of them since `since`. */
export function noteWaiting(modelBuild: ModelBuild, since: number, now: number): void {
  modelBuild.waitingSince ??= since;
  modelBuild.stuckSince ??= now;
}

/** The build stands at another place in the log now. */
export function noteMoved(modelBuild: ModelBuild, checkpoint: Checkpoint, now: number): void {
  modelBuild.checkpoint = checkpoint;
  const first = modelBuild.moved?.first ?? { at: now, ordinal: checkpoint.ordinal };
  modelBuild.moved = { at: now, first };
}

/** The build advanced; `since` is when the next waiting event was written, undefined when none waits. */
export function noteAdvanced(modelBuild: ModelBuild, since: number | undefined, now: number): void {
  modelBuild.waitingSince = since;
  modelBuild.stuckSince = since === undefined ? undefined : now;
}
