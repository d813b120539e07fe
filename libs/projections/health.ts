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
    secondsBehind: waitingSince === undefined ? 0 : Math.max(0, (now - waitingSince) / 1_000),
    parked: shown?.fold.parking.count() ?? 0,
  };
}
