import { comparePositions, logStart, type Position, type Timers } from '#kernel';

/** Lets callers wait until the read models have reached a position: read-your-writes. */
export type PositionGate = {
  /** The read models stand here now. */
  readonly reached: (position: Position) => void;
  readonly position: () => Position;
  /**
   * True once the position is reached, false after `timeoutMs`, when the gate closes, or at once when as many as may
   * wait are waiting.
   */
  readonly waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
  /** Answers everyone who waits with false. */
  readonly close: () => void;
};

type Waiter = { readonly position: Position; readonly settle: (reached: boolean) => void };

/** A gate for at most `waitersMax` callers at once. */
export function createPositionGate(timers: Timers, waitersMax: number): PositionGate {
  const waiters = new Set<Waiter>();
  let current: Position = logStart;
  let isClosed = false;
  const settle = (waiter: Waiter, reached: boolean) => {
    waiters.delete(waiter);
    waiter.settle(reached);
  };
  return {
    reached: (position) => {
      current = position;
      for (const waiter of waiters) {
        if (comparePositions(waiter.position, position) <= 0) settle(waiter, true);
      }
    },
    position: () => current,
    waitFor: (position, timeoutMs) => {
      if (comparePositions(position, current) <= 0) return Promise.resolve(true);
      if (isClosed || waiters.size >= waitersMax) return Promise.resolve(false);
      return new Promise((resolve) => {
        const cancel = timers.after(timeoutMs, () => {
          settle(waiter, false);
        });
        const waiter: Waiter = {
          position,
          settle: (reached) => {
            cancel();
            resolve(reached);
          },
        };
        waiters.add(waiter);
      });
    },
    close: () => {
      isClosed = true;
      for (const waiter of waiters) settle(waiter, false);
    },
  };
}
