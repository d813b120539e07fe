import { comparePositions, type Position } from '#kernel';
import type { Checkpoint } from '#read-store';
import type { Budget, RunnerLimits } from './limits.js';
import type { ModelBuild } from './model-build.js';

/** Builds that stand at the same position and so read the log together. */
export type ReadGroup = { readonly checkpoint: Checkpoint; readonly builds: readonly ModelBuild[] };

/** The groups of all builds that may advance, the one furthest ahead first. */
export function readGroupsOf(builds: readonly ModelBuild[]): readonly ReadGroup[] {
  const groups = new Map<Position, ModelBuild[]>();
  for (const modelBuild of builds) {
    if (modelBuild.isHalted) continue;
    const { position } = modelBuild.checkpoint;
    const group = groups.get(position);
    if (group === undefined) groups.set(position, [modelBuild]);
    else group.push(modelBuild);
  }
  return [...groups.values()]
    .flatMap((together) => {
      const [first] = together;
      return first === undefined ? [] : [{ checkpoint: first.checkpoint, builds: together }];
    })
    .sort((a, b) => comparePositions(b.checkpoint.position, a.checkpoint.position));
}

/** How much a group takes at once: little where someone waits for it, much where nobody does. */
export function budgetFor(
  group: ReadGroup,
  builds: readonly ModelBuild[],
  isFarBehind: boolean,
  limits: RunnerLimits,
): Budget {
  if (group.builds.some(({ isActive }) => isActive)) return isFarBehind ? limits.catchUp : limits.live;
  return builds.some(({ isActive, isHalted }) => isActive && !isHalted) ? limits.beside : limits.catchUp;
}
