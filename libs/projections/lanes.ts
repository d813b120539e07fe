import { comparePositions, type Position } from '#kernel';
import type { Checkpoint } from '#read-store';
import type { Budget, RunnerLimits } from './limits.js';
import type { Member } from './member.js';

/** Builds that stand at the same position and so read the log together. */
export type Lane = { readonly checkpoint: Checkpoint; readonly members: readonly Member[] };

/** The lanes of all builds that may advance, the one furthest ahead first. */
export function lanesOf(members: readonly Member[]): readonly Lane[] {
  const lanes = new Map<Position, Member[]>();
  for (const member of members) {
    if (member.isHalted) continue;
    const { position } = member.checkpoint;
    const lane = lanes.get(position);
    if (lane === undefined) lanes.set(position, [member]);
    else lane.push(member);
  }
  return [...lanes.values()]
    .flatMap((together) => {
      const [first] = together;
      return first === undefined ? [] : [{ checkpoint: first.checkpoint, members: together }];
    })
    .sort((a, b) => comparePositions(b.checkpoint.position, a.checkpoint.position));
}

/** How much a lane takes at once: little where someone waits for it, much where nobody does. */
export function budgetFor(
  lane: Lane,
  members: readonly Member[],
  isFarBehind: boolean,
  limits: RunnerLimits,
): Budget {
  if (lane.members.some(({ isActive }) => isActive)) return isFarBehind ? limits.catchUp : limits.live;
  return members.some(({ isActive, isHalted }) => isActive && !isHalted) ? limits.beside : limits.catchUp;
}

/** The first of some places. */
export function leastOf(checkpoints: readonly Checkpoint[]): Checkpoint {
  return checkpoints.reduce((a, b) => (comparePositions(a.position, b.position) <= 0 ? a : b));
}
