import { logStart, type ErrorCode, type Position } from '#kernel';
import type { Build } from '#read-store';
import type { Member } from './member.js';
import type { ReadModel } from './read-model.js';

export type ModelHealth = {
  readonly name: string;
  /** Of what queries read; of what is being built while there is nothing to read yet. */
  readonly version: number;
  readonly position: Position;
  /** `rebuilding` while a build beside catches up, `stalled` when events wait and nothing advances. */
  readonly state: 'current' | 'behind' | 'stalled' | 'rebuilding';
  /** Age of the oldest event that waits, as far as is known; 0 when none does. */
  readonly secondsBehind: number;
  readonly parked: number;
};

export type RunnerHealth = {
  readonly models: readonly ModelHealth[];
  /** What the runner is trying again, when it is: the engine's code, and how often it failed in a row. */
  readonly failing?: { readonly code: ErrorCode; readonly message: string; readonly attempts: number };
};

/** An active build that today's code can no longer make: served until the one beside it is ready. */
export type Frozen = { readonly build: Build; readonly position: Position };

/**
 * How one read model stands, from its builds. `failingSince` is since when the runner has got nowhere at all, by the
 * clock; undefined when it does.
 */
export function modelHealth(
  model: ReadModel,
  builds: readonly Member[],
  frozen: Frozen | undefined,
  failingSince: number | undefined,
  now: number,
  stalledAfterMs: number,
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
  return {
    name: model.name,
    version: frozen?.build.version ?? shown?.fold.build.version ?? model.version,
    position: frozen?.position ?? shown?.position ?? logStart,
    state: state(),
    secondsBehind: waitingSince === undefined ? 0 : Math.max(0, (now - waitingSince) / 1_000),
    parked: shown?.fold.parking.count() ?? 0,
  };
}
