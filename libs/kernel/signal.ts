import type { Timers } from './timers.js';

/** What wakes the loop while it rests. */
type Signal = {
  /** The log may have grown: ends a rest, or the next one before it begins. */
  readonly raise: () => void;
  /** Whatever was raised so far is seen to. */
  readonly lower: () => void;
  /** Ends every rest, now and from now on. */
  readonly stop: () => void;
  /** Rests until raised or stopped, or `ms` at most. */
  readonly raisedOr: (ms: number) => Promise<void>;
  /** Rests until stopped, or `ms` at most. */
  readonly stopOr: (ms: number) => Promise<void>;
};

export function createSignal(timers: Timers): Signal {
  let isRaised = false;
  let isStopped = false;
  let rest: { readonly endsWhenRaised: boolean; readonly end: () => void } | undefined;

  const restFor = (ms: number, endsWhenRaised: boolean): Promise<void> => {
    if (isStopped || (endsWhenRaised && isRaised)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        rest = undefined;
        resolve();
      };
      const cancel = timers.after(ms, end);
      rest = { endsWhenRaised, end };
    });
  };

  return {
    raise: () => {
      isRaised = true;
      if (rest?.endsWhenRaised === true) rest.end();
    },
    lower: () => {
      isRaised = false;
    },
    stop: () => {
      isStopped = true;
      rest?.end();
    },
    raisedOr: (ms) => restFor(ms, true),
    stopOr: (ms) => restFor(ms, false),
  };
}
