/** Bounds and times of a reactor's runner. */
export const reactorLimits = {
  /** Events read at a time. */
  page: 500,
  /** Keys whose events are handled at once. */
  concurrency: 64,
  /** Failures of an event after which it is shown as parked. It is tried on, more and more seldom. */
  tries: 5,
  /** Events that may be parked; at that many the reactor stops, because it is the reactor that is broken. */
  parked: 10_000,
  /** Parked events that are tried again in one turn. */
  retried: 100,
  /** First and longest pause of an event after its command failed. */
  retryFirstMs: 1_000,
  retryLastMs: 10 * 60_000,
  /** First and longest pause after an engine failed; each is drawn between half and the whole of its length. */
  backOffFirstMs: 50,
  backOffLastMs: 5_000,
  /** After a look at the log, so that the next one finds more than one commit. */
  gatherMs: 25,
  /** Between looks at the log when nothing woke the runner. */
  pollMs: 1_000,
  /** How long what was only passed over may stay unsaved: after a death it is looked through again. */
  saveMs: 10_000,
} as const;

export type ReactorLimits = { readonly [Name in keyof typeof reactorLimits]: number };
