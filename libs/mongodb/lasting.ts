/**
 * Expressions on the member `until` of a document that lasts for so many milliseconds by the server's own clock, each time that
 * it is renewed.
 */
export function lasting(ttlMs: number) {
  /** What it lasts until when it is renewed now. */
  const until = { $add: ['$$NOW', ttlMs] };
  /** One that would last for longer than any does was renewed before the clock was set back. */
  const hasRunOut = { $or: [{ $lte: ['$until', '$$NOW'] }, { $gt: ['$until', until] }] };
  return { until, hasRunOut };
}
