import { comparePositions, invariant, type Position } from '#kernel';
import type { Budget, RunnerLimits } from './limits.js';
import type { Member } from './member.js';

/** Builds that stand at the same position and so read the log together. */
export type Lane = { readonly position: Position; readonly members: readonly Member[] };

/** The lanes of all builds that may advance, the one furthest ahead first. */
export function lanesOf(members: readonly Member[]): readonly Lane[] {
  const lanes = new Map<Position, Member[]>();
  for (const member of members) {
    if (member.isHalted) continue;
    const lane = lanes.get(member.position);
    if (lane === undefined) lanes.set(member.position, [member]);
    else lane.push(member);
  }
  return [...lanes]
    .map(([position, together]) => ({ position, members: together }))
    .sort((a, b) => comparePositions(b.position, a.position));
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

/** The first of all positions. */
export function leastPosition(positions: readonly Position[]): Position {
  const least = positions.reduce((a, b) => (comparePositions(a, b) <= 0 ? a : b));
  invariant(positions.length > 0, 'a least position is one of some');
  return least;
}
