import { currentDisplay } from './display';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From this age on a date says more than a count of days. */
const RELATIVE_DAYS_MAX = 30;

/** Formatters take long to make, and there are few of them. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options]);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(language, options);
  formatters.set(key, known);
  return known;
}

/** The parts of an instant in a zone, with two digits each. */
function partsOf(iso: string, timeZone: string): Readonly<Record<string, string>> {
  const numbers = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  const parts = formatter('en-GB', { ...numbers, hourCycle: 'h23', timeZone }).formatToParts(new Date(iso));
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

/** An instant as `YYYY-MM-DD HH:mm` in a time zone. */
function timeIn(iso: string, timeZone: string): string {
  // A list has an instant a row, most are in UTC, and a formatter takes longer than the rest of the row.
  if (timeZone === 'UTC') return new Date(iso).toISOString().slice(0, 16).replace('T', ' ');
  const { year, month, day, hour, minute } = partsOf(iso, timeZone);
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

/** The day that an instant is on in a time zone: `YYYY-MM-DD`. */
export function dayIn(iso: string, timeZone: string): string {
  return timeIn(iso, timeZone).slice(0, 10);
}

/**
 * An instant as the account has it: `YYYY-MM-DD HH:mm` in UTC, unless its owner chose another zone or language. Where what is
 * shown has a zone of its own, as a statement, it is in that.
 */
export function formatTime(iso: string, timeZone = currentDisplay().timeZone): string {
  const { language } = currentDisplay();
  if (language !== 'standard')
    return formatter(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));
  return timeIn(iso, timeZone);
}

/** As `formatTime`, the day alone. */
export function formatDate(iso: string): string {
  const { language, timeZone } = currentDisplay();
  if (language !== 'standard')
    return formatter(language, { dateStyle: 'medium', timeZone }).format(new Date(iso));
  return dayIn(iso, timeZone);
}

/** How long something has lasted, in its largest unit: minutes, hours, days. */
function lasted(
  iso: string,
  now: number,
): { readonly count: number; readonly unit: 'min' | 'h' | 'day' } | undefined {
  const age = now - Date.parse(iso);
  if (age < MINUTE) return undefined;
  if (age < HOUR) return { count: Math.floor(age / MINUTE), unit: 'min' };
  if (age < DAY) return { count: Math.floor(age / HOUR), unit: 'h' };
  return { count: Math.floor(age / DAY), unit: 'day' };
}

/** How long it is since `iso` at `now` (milliseconds), shortly: `Just now`, minutes, hours, days, and from thirty days a date. */
export function formatAge(iso: string, now: number): string {
  const age = lasted(iso, now);
  if (age === undefined) return 'Just now';
  if (age.unit !== 'day') return `${age.count} ${age.unit}`;
  if (age.count >= RELATIVE_DAYS_MAX) return formatDate(iso);
  return age.count === 1 ? '1 day' : `${age.count} days`;
}

const units = { min: 'minute', h: 'hour', day: 'day' } as const;

/** As `formatAge`, in words: `3 minutes ago`. */
export function formatAgo(iso: string, now: number): string {
  const age = lasted(iso, now);
  if (age === undefined) return 'Just now';
  if (age.unit === 'day' && age.count >= RELATIVE_DAYS_MAX) return formatDate(iso);
  return `${age.count} ${units[age.unit]}${age.count === 1 ? '' : 's'} ago`;
}
