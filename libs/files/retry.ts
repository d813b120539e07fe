import {
  delay,
  LodeError,
  plainFailure,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
  type RetryPolicy,
} from '#kernel';

/** How long a store that is another program is asked again before it counts as out of reach. Milliseconds. */
export const retryLimits = {
  /** For everything but an upload. */
  operationMs: 120_000,
  /** For one upload. */
  uploadMs: 600_000,
  /** Pauses between two tries. */
  retry: { firstMs: 500, lastMs: 32_000, jitter: 1 } satisfies RetryPolicy,
} as const;

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS = 500;

/** True for the HTTP statuses that the same request may do without a moment later. */
export function isTransientStatus(status: number): boolean {
  return status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS || status >= SERVER_ERRORS;
}

export type RetryOptions = {
  /** `retryLimits.operationMs` or `retryLimits.uploadMs`. */
  readonly limitMs: number;
  /** True when the same work may succeed a moment later. */
  readonly isTransient: (error: unknown) => boolean;
  /** Ends the trying: the caller has gone. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Pauses between two tries; `retryLimits.retry` when left out. */
  readonly retry?: RetryPolicy;
};

/**
 * Does work with a remote store, again and again while it fails for reasons that pass, with growing pauses. The signal
 * that `work` gets is aborted when the time is up or the caller has gone. Throws what is not transient as it is,
 * `unavailable` once the time is up, and `upload_canceled` when `signal` was aborted.
 */
export async function withRetries<T>(
  work: (signal: AbortSignal) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const { limitMs, isTransient, signal: caller, retry = retryLimits.retry } = options;
  const { clock = systemClock, random = systemRandom } = options;
  const over = new AbortController();
  const signal = caller === undefined ? over.signal : AbortSignal.any([over.signal, caller]);
  const end = clock() + limitMs;
  const timer = setTimeout(() => over.abort(), limitMs);
  let failure: unknown;
  try {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        return await work(signal);
      } catch (error) {
        if (!signal.aborted && !isTransient(error)) throw error;
        failure = error;
      }
      const pause = delay(failures, retry, random);
      if (clock() + pause >= end) break;
      await paused(pause, signal);
    }
  } finally {
    clearTimeout(timer);
  }
  if (caller?.aborted === true) throw uploadCanceled(failure);
  throw plainFailure('unavailable', "The store of files can't be reached.", { cause: failure });
}

/** The caller went away in the middle. */
export function uploadCanceled(cause?: unknown): LodeError {
  return new LodeError('upload_canceled', 'The upload did not arrive whole.', {}, { cause });
}

/** Resolves after `ms` or as soon as the signal is aborted. */
function paused(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
