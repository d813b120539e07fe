import { hasAllLanes, hasFirstLane, laneOf, type Lanes } from '#kernel';
import type { ReadModel } from './read-model.js';

/**
 * Which lanes' events whoever has some of them folds into a model. Documents that streams of every lane change, as sums are, are
 * one writer's: whoever has the first lane takes all events into them, so that a sum is always what the log says up to one place.
 */
export function laneFilter(model: Pick<ReadModel, 'isShared'>, lanes: Lanes): (lane: number) => boolean {
  if (hasAllLanes(lanes)) return () => true;
  if (model.isShared === true) return () => hasFirstLane(lanes);
  const own = new Set(lanes.own);
  return (lane) => own.has(lane);
}

/** The lane by which events of a stream are folded into a model. */
export function laneIn(model: Pick<ReadModel, 'isShared'>, stream: string, of: number): number {
  return model.isShared === true ? 0 : laneOf(stream, of);
}
