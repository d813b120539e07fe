/** How much is read and written at once. */
export type Budget = {
  /** Events a page of the log. */
  readonly page: number;
  /** Events a write. */
  readonly events: number;
  /** Documents a write, so that one batch's memory is bounded whatever the events do. */
  readonly documents: number;
};

/** Bounds and times of the runner; every loop, queue and retry has its own here. */
export const runnerLimits = {
  /** While following the log: small, so that a command is soon visible. */
  live: { page: 2_000, events: 2_000, documents: 10_000 } satisfies Budget as Budget,
  /**
   * While catching up: large, so that a document touched many times is written once. The pages stay small: events that
   * are soon done with are what the garbage collector frees at little cost.
   */
  catchUp: { page: 2_000, events: 100_000, documents: 40_000 } satisfies Budget as Budget,
  /** While building beside live models: between the two, because the live ones wait for it. */
  beside: { page: 2_000, events: 4_000, documents: 10_000 } satisfies Budget as Budget,
  /** Parsed documents kept in memory, for each build; about a kilobyte each. */
  documentsCached: 50_000,
  /** After a death in the middle of a batch: how many of its events are tried together before each by itself. */
  recovery: { page: 1_000, events: 1_000, documents: 10_000 } satisfies Budget as Budget,
  /** Deliveries of an event before it is parked. */
  tries: 5,
  /** Parked and waiting events of one model; at that many the model stops, because it is the model that is broken. */
  parked: 10_000,
  /** Callers that wait for a position at once. */
  waiters: 10_000,
  /** Rebuilds and replays that were asked for and have not begun. */
  jobs: 100,
  /**
   * After a batch that came to the end of the log, where events come as fast as so many a second: so that the next batch is not
   * smaller still, since many events together touch hardly more pages of the store than few do. As long again as the batch took,
   * between these two. Where they come slower there is time to write each at once.
   */
  gatherFrom: 250,
  gatherMs: 5,
  gatherMostMs: 12,
  /** Between looks at the log when nothing woke the runner. */
  pollMs: 1_000,
  /** Between looks at what the writers of other lanes did to builds. */
  followMs: 1_000,
  /** First and longest pause after the engine failed; each is drawn between half and the whole of its length. */
  backOffFirstMs: 50,
  backOffLastMs: 5_000,
  /** Without advance for that long while events wait, a model is stalled. */
  stalledAfterMs: 15_000,
} as const;

type Loose<T> = { readonly [Key in keyof T]: T[Key] extends number ? number : T[Key] };
export type RunnerLimits = Loose<typeof runnerLimits>;
