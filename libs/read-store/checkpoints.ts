import { comparePositions } from '#kernel';
import { checkpointStart, type Checkpoint } from './port.js';

/** Of places in the log the first, and of those at one position the one that counts the most; the log's start of none. */
export function leastOf([first = checkpointStart, ...others]: readonly Checkpoint[]): Checkpoint {
  return others.reduce((least, one) => {
    const order = comparePositions(one.position, least.position);
    return order < 0 || (order === 0 && one.ordinal > least.ordinal) ? one : least;
  }, first);
}
