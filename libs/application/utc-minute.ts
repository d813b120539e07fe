/** An instant as a person reads it where nobody knows their time zone: `2026-01-31 14:05 UTC`. Takes an ISO instant or Unix milliseconds. */
export function utcMinute(instant: string | number): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
