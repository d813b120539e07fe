import type { Random } from '#kernel';

/** Numbers that look random and are the same for the same seed. */
export type Draws = {
  /** From 0, inclusive, to 1, exclusive. */
  readonly next: () => number;
  /** A whole number from 0 to below `count`. */
  readonly below: (count: number) => number;
  readonly between: (low: number, high: number) => number;
  /** True in so many cases, from 0 to 1. */
  readonly chance: (share: number) => boolean;
  readonly oneOf: <T>(list: readonly T[]) => T;
  readonly bytes: Random;
};

/** The draws of a seed (mulberry32). */
export function drawsOf(seed: number): Draws {
  let state = seed * 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    between: (low, high) => low + next() * (high - low),
    chance: (share) => next() < share,
    oneOf: <T>(list: readonly T[]): T => list[below(list.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  };
}
