import { serializeError, type ErrorCode } from './errors.js';
import type { Clock, Random } from './ids.js';
import { delay, type RetryPolicy } from './retry.js';
import { createSignal } from './signal.js';
import type { Timers } from './timers.js';

/** What a loop does between two turns. */
export type Pause =
  /** The next turn of the event loop: input and output that waits is seen to first. */
  | { readonly until: 'yielded' }
  /** `ms` milliseconds, or until the loop is stopped. */
  | { readonly until: 'stopped'; readonly ms: number }
  /** As `stopped`, or until somebody wakes the loop, which may have happened during the turn already. */
  | { readonly until: 'woken'; readonly ms: number };

/** What a loop is trying again. */
export type Failing = {
  readonly code: ErrorCode;
  readonly message: string;
  /** Turns that failed in a row. */
  readonly attempts: number;
  /** When the first of them did, by the clock. */
  readonly since: number;
};

export type RunLoopOptions = {
  /** One bounded piece of work. When it throws, it is tried again after a pause that grows. */
  readonly turn: () => Promise<Pause>;
  readonly onFailing: (failing: Failing) => void;
  /** A turn went well after one or more failed. */
  readonly onRecovered: () => void;
  /** Done once, after the last turn. It must not throw. */
  readonly onStopped: () => Promise<void>;
  /** Pauses after failures. */
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
};

/** The life of something that runs until it is stopped. */
export type RunLoop = {
  /** Begins to run; does nothing when it has begun. */
  readonly start: () => void;
  /** There may be something to do: ends a pause `until: 'woken'`, or the next one before it begins. */
  readonly wake: () => void;
  /** Finishes the turn under way. */
  readonly stop: () => Promise<void>;
  readonly isStopping: () => boolean;
  /** Undefined unless the last turn failed. */
  readonly failing: () => Failing | undefined;
};

/** Does one turn after the other until it is stopped, whatever fails. */
export function createRunLoop(options: RunLoopOptions): RunLoop {
  const { turn, onFailing, onRecovered, onStopped, retry, clock, random, timers } = options;
  const signal = createSignal(timers);
  let failing: Failing | undefined;
  let isStopping = false;
  let ended: Promise<void> | undefined;

  const pause = (rest: Pause): Promise<void> => {
    if (rest.until === 'yielded') return timers.yieldNow();
    return rest.until === 'woken' ? signal.raisedOr(rest.ms) : signal.stopOr(rest.ms);
  };

  const fail = (error: unknown): Pause => {
    const { code, message } = serializeError(error);
    const attempts = (failing?.attempts ?? 0) + 1;
    failing = { code, message, attempts, since: failing?.since ?? clock() };
    onFailing(failing);
    return { until: 'stopped', ms: delay(attempts, retry, random) };
  };

  const succeed = () => {
    if (failing === undefined) return;
    failing = undefined;
    onRecovered();
  };

  const run = async () => {
    while (!isStopping) {
      signal.lower();
      const rest = await turn().then(
        (next) => {
          succeed();
          return next;
        },
        (error: unknown) => fail(error),
      );
      await pause(rest);
    }
    await onStopped();
  };

  return {
    start: () => {
      ended ??= run();
    },
    wake: signal.raise,
    stop: async () => {
      isStopping = true;
      signal.stop();
      await ended;
    },
    isStopping: () => isStopping,
    failing: () => failing,
  };
}
