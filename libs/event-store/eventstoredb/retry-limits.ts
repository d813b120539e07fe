import { delay, type Random } from '#kernel';

/** How long the adapter waits and how often it tries again; every wait and every loop of it ends by one of these. */
export type RetryLimits = {
  /** One attempt of an append, in milliseconds. After it the attempt's outcome counts as unknown. */
  readonly attemptMs: number;
  /** An append with all its waiting and all its attempts, in milliseconds. */
  readonly appendMs: number;
  /** The time between two events of a read after which the read is given up, in milliseconds. */
  readonly silenceMs: number;
  /** One page of a read with all its waiting and all its attempts, in milliseconds. */
  readonly readMs: number;
  /** The time in which a subscription tells of nothing after which it is begun anew, in milliseconds. */
  readonly quietMs: number;
  /** Attempts of one append or one read. */
  readonly attempts: number;
  /** The first pause between attempts, in milliseconds; each further one is twice as long, up to `pauseMaxMs`. */
  readonly pauseMs: number;
  readonly pauseMaxMs: number;
};

export const usualRetryLimits: RetryLimits = {
  attemptMs: 5_000,
  appendMs: 15_000,
  silenceMs: 10_000,
  readMs: 15_000,
  quietMs: 30_000,
  attempts: 5,
  pauseMs: 50,
  pauseMaxMs: 2_000,
};

/** Milliseconds to wait after `failures` (1 or more) in a row, drawn so that clients do not come back in step. */
export function pauseAfter(failures: number, { pauseMs, pauseMaxMs }: RetryLimits, random: Random): number {
  return delay(failures, { firstMs: pauseMs, lastMs: pauseMaxMs, jitter: 0.5 }, random);
}
