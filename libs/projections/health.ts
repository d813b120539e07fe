import type { ErrorCode, Position } from '#kernel';
import { checkpointStart, type Build, type Checkpoint } from '#read-store';
import type { ModelBuild } from './model-build.js';
import type { ReadModel } from './read-model.js';

export type ModelHealth = {
  readonly name: string;
  /** Of what queries read; of what is being built while there is nothing to read yet. */
  readonly version: number;
  readonly position: Position;
  /** The position is that of the n-th event of the log, from 1. */
  readonly ordinal: number;
  /** Events that wait for it: at least so many, as the log was read only as far as some model has got. */
  readonly eventsBehind: number;
  /** `rebuilding` while a build beside catches up, `stalled` when events wait and nothing advances. */
  readonly state: 'current' | 'behind' | 'stalled' | 'rebuilding';
  /** Age of the oldest event that waits, as far as is known; 0 when none does. */
  readonly secondsBehind: number;
  readonly parked: number;
  /** Events that it is without, because somebody decided so. */
  readonly discarded: number;
  /** Documents and indexes that were found damaged and are not made again yet. */
  readonly damaged: number;
  /** When the position last moved, in milliseconds; undefined when it has not since the runner looked at it. */
  readonly movedAt: number | undefined;
  /** The build beside it, on its way; undefined when there is none. */
  readonly rebuild: RebuildProgress | undefined;
};

/** How far a build is that is to take the place of the one that is read. */
export type RebuildProgress = {
  /** Events of the log that it has taken. */
  readonly events: number;
  /** How many it has to take: at least so many, as the log was read only as far as some build has got. */
  readonly of: number;
  /** How long that takes at the pace so far; undefined while there is none, or nothing says how many are left. */
  readonly secondsLeft: number | undefined;
  readonly isHalted: boolean;
};

/** How one build of a model stands. */
export type BuildHealth = {
  readonly model: string;
  /** Queries read it. */
  readonly isActive: boolean;
  /** So many of its events are parked that it stands still. */
  readonly isHalted: boolean;
  readonly parked: number;
};

export type RunnerHealth = {
  readonly models: readonly ModelHealth[];
  /** What the runner is trying again, when it is: the engine's code, and how often it failed in a row. */
  readonly failing?: { readonly code: ErrorCode; readonly message: string; readonly attempts: number };
};

/** An active build that today's code can no longer make: served until the one beside it is ready. */
export type Frozen = { readonly build: Build; readonly checkpoint: Checkpoint };

/** What is the same for all models of a runner. */
export type RunnerState = {
  /** Since when it has got nowhere at all, by the clock; undefined when it does. */
  readonly failingSince: number | undefined;
  /** The ordinal of the last event that any build has taken. */
  readonly furthest: number;
  readonly now: number;
  readonly stalledAfterMs: number;
};

/**
 * How one read model stands, from its builds.
 */
export function modelHealth(
  model: ReadModel,
  builds: readonly ModelBuild[],
  frozen: Frozen | undefined,
  { failingSince, furthest, now, stalledAfterMs }: RunnerState,
): ModelHealth {
  const active = builds.find(({ isActive }) => isActive);
  const beside = builds.find(({ isActive }) => !isActive);
  const shown = active ?? beside;
  const isLong = (since: number | undefined) => since !== undefined && now - since > stalledAfterMs;
  const isStalled = isLong(failingSince) || builds.some(({ stuckSince }) => isLong(stuckSince));
  const waitingSince = shown?.waitingSince;
  const state = () => {
    if (isStalled) return 'stalled';
    if (active === undefined || beside !== undefined) return 'rebuilding';
    return waitingSince === undefined ? 'current' : 'behind';
  };
  const { position, ordinal } = frozen?.checkpoint ?? shown?.checkpoint ?? checkpointStart;
  return {
    name: model.name,
    version: frozen?.build.version ?? shown?.fold.build.version ?? model.version,
    position,
    ordinal,
    eventsBehind: Math.max(0, furthest - ordinal),
    state: state(),
    secondsBehind: waitingSince === undefined ? 0 : Math.max(0, (now - waitingSince) / MS_PER_SECOND),
    parked: shown?.fold.parking.count() ?? 0,
    discarded: shown?.fold.parking.discarded() ?? 0,
    damaged: shown?.damaged.size ?? 0,
    movedAt: frozen === undefined ? shown?.moved?.at : undefined,
    rebuild: beside && progressOf(beside, Math.max(furthest, ordinal), now),
  };
}

function progressOf(
  { checkpoint: { ordinal: events }, moved, isHalted }: ModelBuild,
  of: number,
  now: number,
): RebuildProgress {
  const taken = moved === undefined ? 0 : events - moved.first.ordinal;
  const secondsLeft =
    moved === undefined || taken === 0 || of === events
      ? undefined
      : (((of - events) / taken) * Math.max(0, now - moved.first.at)) / MS_PER_SECOND;
  return { events, of, secondsLeft, isHalted };
}

const MS_PER_SECOND = 1_000;
