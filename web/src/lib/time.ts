const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From this age on a date says more than a count of days. */
const RELATIVE_DAYS_MAX = 30;

const two = (number: number) => String(number).padStart(2, '0');

/** An instant in the reader's own time zone as `YYYY-MM-DD HH:mm`. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** How long ago `iso` was at `now` (milliseconds): `Just now`, minutes, hours, days, and from thirty days a date. */
export function formatAge(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (age < MINUTE) return 'Just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  const days = Math.floor(age / DAY);
  if (days >= RELATIVE_DAYS_MAX) return formatTime(iso).slice(0, 10);
  return days === 1 ? '1 day' : `${days} days`;
}
