/** Time that passes; comes in from outside so that tests can choose it. */
export type Timers = {
  /** Calls `done` once after `ms` unless it is cancelled. It does not keep the process alive. */
  readonly after: (ms: number, done: () => void) => () => void;
  /** Resolves in the next turn of the event loop, after the input and output that waits has been seen to. */
  readonly yieldNow: () => Promise<void>;
};

/** Does some work every `ms`, for the first time after `ms`, until it is cancelled. */
export function repeatEvery(timers: Timers, ms: number, work: () => void): () => void {
  const next = () =>
    timers.after(ms, () => {
      cancel = next();
      work();
    });
  let cancel = next();
  return () => cancel();
}

/** Resolves after so many milliseconds. */
export function pause(timers: Pick<Timers, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(ms, resolve);
  });
}

/** Resolves when some work has ended, whatever it came to, or when so many milliseconds have passed. */
export function atMost(timers: Pick<Timers, 'after'>, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(ms, resolve);
    const end = () => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}

/** The machine's timers. */
export const systemTimers: Timers = {
  after: (ms, done) => {
    const timer = setTimeout(done, ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
  yieldNow: () =>
    new Promise((resolve) => {
      setImmediate(resolve);
    }),
};
