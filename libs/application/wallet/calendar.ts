const DAY_MS = 86_400_000;
/** No time zone was ever further from UTC, in milliseconds. */
const OFFSET_MAX = 16 * 3_600_000;

/** The instants, in milliseconds since the epoch, at which a period of calendar days begins and has ended. */
export type Period = { readonly begins: number; readonly ends: number };

/** The period from the day `from` to the day `to`, both inclusive, in a time zone of the IANA list. */
export function periodOf(from: string, to: string, timeZone: string): Period {
  const after = new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return { begins: startOfDay(from, timeZone), ends: startOfDay(after, timeZone) };
}

/**
 * The first instant whose date in the time zone is `day` or later: midnight, or where the clocks go forward at midnight
 * the moment after, or where a day is left out the beginning of the next. So each instant is in exactly one of the days
 * that follow each other.
 */
export function startOfDay(day: string, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const dateAt = (instant: number) => {
    const parts = new Map<string, string>();
    for (const { type, value } of format.formatToParts(instant)) parts.set(type, value);
    return ['year', 'month', 'day'].map((part) => parts.get(part)).join('-');
  };
  let before = Date.parse(day) - OFFSET_MAX - 1;
  let start = Date.parse(day) + OFFSET_MAX;
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (dateAt(middle) < day) before = middle;
    else start = middle;
  }
  return start;
}
