import { plainFailure, type Position } from '#kernel';
import type { Ports } from '../ports.js';

/** What keeps text in the clear that the log has encrypted. */
export type Overwriting = { readonly projections: Pick<Ports['projections'], 'waitFor' | 'overwrite'> };

/** How long read models have to fold that somebody is forgotten, in milliseconds. */
const FOLD_MS = 5_000;

/**
 * Makes sure that nothing is left in the read models' files of a stream that the log says at `position` to be forgotten.
 * Refuses with `unavailable` as long as that can't be: an older state of them is being read, or they stand still. Then it
 * is to be repeated.
 */
export async function overwriteModels(
  { projections }: Overwriting,
  position: Position,
  stream: string,
): Promise<void> {
  if (!(await projections.waitFor(position, FOLD_MS)))
    throw plainFailure('unavailable', 'The read models don’t know yet what is forgotten. Please repeat.');
  await projections.overwrite(position, stream);
}
