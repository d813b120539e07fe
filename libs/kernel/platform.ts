import { LodeError } from './errors.js';

/**
 * Refuses, with `storage_failed`, a store that belongs to another platform than the log. `store` begins a sentence, and
 * `owner` is the platform that it was found to be of: one that is nobody's yet is taken.
 */
export function refuseAnothers(store: string, owner: string | undefined, platformId: string): void {
  if (owner === undefined || owner === platformId) return;
  throw new LodeError(
    'storage_failed',
    `${store} belongs to the platform ${owner}, and the log to the platform ${platformId}: give Lode the two that belong together.`,
  );
}
