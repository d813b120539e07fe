import { delay, LodeError, pause, type Random, type RetryPolicy, type Timers } from '#kernel';

/**
 * How long commands are decided again because others keep writing to their stream, in milliseconds: most of the 30 seconds after
 * which a page gives a call up. Whoever loses gets in after a few rounds, but where the log or the machine is slow a round takes a second.
 */
export const CONFLICT_DEADLINE_MS = 20_000;
/** After how many seconds a client may try again what didn't get in by then. */
const RETRY_AFTER_SECONDS = 1;
/** Before deciding again. It stays short: whoever waited long must not wait longer than those who come now. */
const loserPause: RetryPolicy = { firstMs: 5, lastMs: 20, jitter: 1 };
/** After getting in: time for somebody else to read what is new and to append. */
const winnerPause: RetryPolicy = { firstMs: 6, lastMs: 6, jitter: 0.5 };

/** Appends to a stream to which others write as well, from the first conflict until one gets in or the deadline. */
export type Race = {
  /** Another conflict: pauses, unless it is the first. Answers with `overloaded` once the deadline has passed. */
  lost(): Promise<LodeError | undefined>;
  /** The append got in: pauses, so that the others get in too. */
  won(): Promise<void>;
};

/** Begins with the first conflict; the deadline counts from here. */
export function startRace({ timers, random }: { readonly timers: Timers; readonly random: Random }): Race {
  let conflicts = 0;
  let isOver = false;
  const cancel = timers.after(CONFLICT_DEADLINE_MS, () => {
    isOver = true;
  });

  return {
    async lost() {
      conflicts += 1;
      if (isOver) return tooBusy();
      // Once is a stream that somebody else has written to since it was remembered. Again is a race.
      if (conflicts > 1) await pause(timers, delay(conflicts - 1, loserPause, random));
      return undefined;
    },
    won() {
      cancel();
      return pause(timers, delay(1, winnerPause, random));
    },
  };
}

function tooBusy(): LodeError {
  return new LodeError('overloaded', 'Too many others are changing this at the same time. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
