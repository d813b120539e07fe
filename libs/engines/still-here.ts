import { systemClock, systemMonotonic, type Clock } from '#kernel';

/** For how long a program goes by what a log's header said when it looked, in milliseconds. */
const TRUST_MS = 2_000;
/**
 * Who has changed a log's header waits so long: whatever a program acknowledged by an older look is in its stores by then.
 * What it is longer than that trust covers clocks of two machines that don't run alike.
 */
export const SETTLE_MS = 3_000;

/**
 * Resolves when a program may say that something was done: no move of its log can have passed that over. Asked before
 * something is begun and, for that to be true, once more after all of it is durable. Rejects with `unavailable` when the log
 * is moved elsewhere, is filled by a move, or can't say. Gives nothing to wait for where that is true at once.
 */
export type StillHere = () => Promise<void> | undefined;

/** Of a log that nobody else can have: its folder is locked. */
export const alwaysHere: StillHere = () => undefined;

/** A moment by a clock that never goes back, and by one that goes on while the machine sleeps. */
type Moment = { readonly monotonic: number; readonly clock: number };

/**
 * By looks at a log's header, which are trusted for a moment each; `look` rejects when the log isn't here any more. Whoever changes the header and waits `SETTLE_MS` then
 * knows: what is acknowledged was durable before that time ended, or after a look that saw the change, and so it wasn't.
 */
export function lookingAtHeader(
  look: () => Promise<void>,
  { clock = systemClock, monotonic = systemMonotonic }: { readonly [One in keyof Moment]?: Clock } = {},
): StillHere {
  let seen: Moment | undefined;
  let looking: Promise<void> | undefined;
  const now = () => ({ monotonic: monotonic(), clock: clock() });
  const lookAgain = async () => {
    const began = now();
    seen = undefined;
    await look();
    seen = began;
  };
  return async () => {
    const asked = now();
    // A look that is under way already may have begun too long ago; the next one begins after this.
    while (!isTrusted(seen, asked)) {
      looking ??= lookAgain().finally(() => (looking = undefined));
      await looking;
    }
  };
}

function isTrusted(seen: Moment | undefined, asked: Moment): boolean {
  if (seen === undefined) return false;
  if (seen.monotonic > asked.monotonic) return true;
  return asked.monotonic - seen.monotonic < TRUST_MS && asked.clock - seen.clock < TRUST_MS;
}
