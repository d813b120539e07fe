import type { Checkpoint } from '#read-store';
import type { Mark } from './bookkeeping.js';
import type { Fold } from './fold.js';

/** One build that the runner keeps, and how it stands. Only the runner changes it. */
export type Member = {
  readonly fold: Fold;
  /** Queries read it. */
  isActive: boolean;
  /** As of here its documents and parked events are in the store. */
  checkpoint: Checkpoint;
  /** Events still to be taken with care, because the process died while it handled a batch of as many. */
  careful: number;
  /** What was being handled with care already when the process died. */
  suspect: Mark | undefined;
  /** Too many parked events: it stands still until some are replayed or it is built again. */
  isHalted: boolean;
  /** As many parked events were last reported. */
  parkedReported: number;
  /** When the oldest event that waits was written, as far as is known; milliseconds. Undefined when none waits. */
  waitingSince: number | undefined;
  /** Since when events wait and nothing advanced, by the clock. */
  stuckSince: number | undefined;
};

export function createMember(fold: Fold, isActive: boolean, checkpoint: Checkpoint): Member {
  return {
    fold,
    isActive,
    checkpoint,
    careful: 0,
    suspect: undefined,
    isHalted: false,
    parkedReported: fold.parking.count(),
    waitingSince: undefined,
    stuckSince: undefined,
  };
}

/** Events wait for this build, the oldest of them since `since`. */
export function noteWaiting(member: Member, since: number, now: number): void {
  member.waitingSince ??= since;
  member.stuckSince ??= now;
}

/** The build advanced; `since` is when the next waiting event was written, undefined when none waits. */
export function noteAdvanced(member: Member, since: number | undefined, now: number): void {
  member.waitingSince = since;
  member.stuckSince = since === undefined ? undefined : now;
}
