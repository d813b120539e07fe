import type { Random } from './ids.js';

/** How long to wait between tries, in milliseconds. */
export type RetryPolicy = {
  /** The longest pause after the first failure; after each further one it is twice as long. */
  readonly firstMs: number;
  /** No pause is longer than this. */
  readonly lastMs: number;
  /**
   * The part of a pause, from 0 to 1, that is drawn, so that those who failed together don't come back together. With 0
   * every pause is the longest, with 1 it is anything between nothing and the longest.
   */
  readonly jitter: number;
};

/** Doublings after which every policy has reached its longest pause. */
const DOUBLINGS_MAX = 20;
/** Values of one random byte. */
const BYTE_VALUES = 256;

/** Milliseconds to wait after `failures` (1 or more) in a row: exponential backoff with jitter. */
export function delay(failures: number, { firstMs, lastMs, jitter }: RetryPolicy, random: Random): number {
  const longest = Math.min(lastMs, firstMs * 2 ** Math.min(failures - 1, DOUBLINGS_MAX));
  if (jitter === 0) return longest;
  const draw = (random(1)[0] ?? 0) / BYTE_VALUES;
  return longest * (1 - jitter + jitter * draw);
}
