/** How far the machine's clock may be from the latest instant that is known, when a program starts; milliseconds. */
export type ClockTolerance = {
  /** Before it: the clocks of several machines differ a little. */
  readonly behindMs: number;
  /** After it: for so long a program may have been stopped. */
  readonly aheadMs: number;
};

/** The tolerance where nothing else is set. */
export const CLOCK_TOLERANCE: ClockTolerance = { behindMs: 5 * 60_000, aheadMs: 7 * 24 * 60 * 60_000 };

/** A jump of the clock that is longer than this is not taken while a program runs, in milliseconds. */
export const CLOCK_STEP_MS = 5 * 60_000;

/** What a clock is judged by. All instants are in milliseconds since the epoch. */
export type Reading = {
  /** What the machine's clock says. */
  readonly wall: number;
  /** The latest instant that is known; undefined while nothing has happened yet. */
  readonly reference: number | undefined;
  /** What the clock should say by the time that has passed since it was accepted last; undefined when it never was. */
  readonly expected: number | undefined;
  /** The same by a clock that also counts while the machine sleeps. Asked only where the other one shows a jump. */
  readonly expectedAwake: () => number | undefined;
};

/**
 * Whether a clock is believed. At first by the latest instant that is known, then by its own course: it may not jump, and
 * whatever it does in small steps, it may not go back further than that instant allows.
 */
export function isBelieved(
  { wall, reference, expected, expectedAwake }: Reading,
  { behindMs, aheadMs }: ClockTolerance,
): boolean {
  if (reference === undefined) return true;
  if (wall < reference - behindMs) return false;
  if (expected === undefined) return wall <= reference + aheadMs;
  return isNear(wall, expected) || isNear(wall, expectedAwake());
}

function isNear(wall: number, expected: number | undefined): boolean {
  return expected !== undefined && Math.abs(wall - expected) <= CLOCK_STEP_MS;
}

/** The acceptances of clocks that a log has, all together. */
export type Acceptances = {
  /** How many there are: a later one counts for more than whatever was known before it. */
  readonly count: number;
  /** What was accepted last, in milliseconds since the epoch; undefined without any. */
  readonly instant: number | undefined;
  /**
   * The latest instant that any of them has found. Events may be stamped up to it although the clock was put back since,
   * because none is stamped earlier than the one before it in its stream.
   */
  readonly ceiling: number | undefined;
};

/** What is known of the time of a log. */
export type KnownTime = {
  /** The latest instant that is known; undefined while nothing has happened yet. */
  readonly reference: number | undefined;
  /** How many acceptances it takes into account. */
  readonly accepted: number;
};

/** The latest instant that a program came to, as it is remembered beside the log, and the acceptances that it knew of. */
export type ClockMark = { readonly instant: number; readonly accepted: number };

/** What is known of the time when a program starts: from what is remembered, the acceptances and the log's last event. */
export function knownTime(
  mark: ClockMark | undefined,
  { count, instant, ceiling }: Acceptances,
  lastEventAt: number | undefined,
): KnownTime {
  // What was remembered before the last acceptance is what it put right.
  const remembered = mark !== undefined && mark.accepted >= count ? mark.instant : undefined;
  const last = lastEventAt !== undefined && lastEventAt > (ceiling ?? -Infinity) ? lastEventAt : undefined;
  const known = [remembered, instant, last].filter((one) => one !== undefined);
  return {
    reference: known.length === 0 ? undefined : Math.max(...known),
    accepted: Math.max(count, mark?.accepted ?? 0),
  };
}

/** True when a mark is further than another: it knows of more acceptances, or of as many and a later instant. */
export function isFurther(mark: ClockMark, than: ClockMark | undefined): boolean {
  if (than === undefined || mark.accepted !== than.accepted) return mark.accepted > (than?.accepted ?? -1);
  return mark.instant > than.instant;
}
