import type { Hold } from '#kernel';

/**
 * Throws why a command has to wait for the clock: for one that changes something beside the log before it writes. All
 * others learn it where their events are given their instant.
 */
export function refuseWhileHeld(hold: Hold): void {
  const held = hold();
  if (held !== undefined) throw held;
}
