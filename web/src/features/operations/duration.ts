const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** A length of time in its largest unit, as a column has room for: '41 min'. */
export function formatSeconds(seconds: number): string {
  if (seconds < MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.round(seconds / HOUR)} h`;
  return `${Math.round(seconds / DAY)} d`;
}
