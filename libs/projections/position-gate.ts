import { comparePositions, laneOf, logStart, type Position, type Timers } from '#kernel';

/** Lets callers wait until the read models have reached a position: read-your-writes. */
export type PositionGate = {
  /** The read models stand here now: all of them at a position, and each lane at one of its own where others fold some. */
  readonly reached: (position: Position, lanes?: readonly Position[]) => void;
  /** Whether they stand at a position or beyond: those of all streams, or of those about a subject. */
  readonly has: (position: Position, subject?: string) => boolean;
  /**
   * True once the position is reached, for streams about a subject where one is given; false after `timeoutMs`, when the gate
   * closes, or at once when as many as may wait are waiting.
   */
  readonly waitFor: (position: Position, timeoutMs: number, subject?: string) => Promise<boolean>;
  /** Answers everyone who waits with false. */
  readonly close: () => void;
};

type Waiter = {
  readonly position: Position;
  /** Undefined where it waits for all of them. */
  readonly lane: number | undefined;
  readonly settle: (reached: boolean) => void;
};

/** A gate for at most `waitersMax` callers at once. */
export function createPositionGate(timers: Timers, waitersMax: number): PositionGate {
  const waiters = new Set<Waiter>();
  let current: Position = logStart;
  let lanes: readonly Position[] | undefined;
  let isClosed = false;
  const settle = (waiter: Waiter, reached: boolean) => {
    waiters.delete(waiter);
    waiter.settle(reached);
  };
  const laneFor = (subject: string | undefined) =>
    subject === undefined || lanes === undefined ? undefined : laneOf(`-${subject}`, lanes.length);
  const isThere = (position: Position, lane: number | undefined) =>
    comparePositions(position, (lane === undefined ? undefined : lanes?.[lane]) ?? current) <= 0;
  return {
    reached: (position, each) => {
      current = position;
      lanes = each;
      for (const waiter of waiters) if (isThere(waiter.position, waiter.lane)) settle(waiter, true);
    },
    has: (position, subject) => isThere(position, laneFor(subject)),
    waitFor: (position, timeoutMs, subject) => {
      const lane = laneFor(subject);
      if (isThere(position, lane)) return Promise.resolve(true);
      if (isClosed || waiters.size >= waitersMax) return Promise.resolve(false);
      return new Promise((resolve) => {
        const cancel = timers.after(timeoutMs, () => {
          settle(waiter, false);
        });
        const waiter: Waiter = {
          position,
          lane,
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
