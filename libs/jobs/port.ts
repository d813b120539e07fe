import type { Clock, Hold, Json, Random, Timers } from '#kernel';

/** What a run did, in the job's own words: numbers and texts that an operator reads. */
export type JobReport = { readonly [key: string]: Json };

/** What a job is told about the run it is to do. */
export type JobContext = {
  /** ISO 8601 instant in UTC: the moment that this run is for, which may be long ago. */
  readonly slot: string;
  /** From 1. */
  readonly attempt: number;
  /** Aborted when the run is to end early: the program stops, another worker took over, or it took too long. */
  readonly signal: AbortSignal;
};

/**
 * A kind of job. Its work must come to the same when it is done twice, late, or after half of it was done before: that is
 * what makes everything else here disposable.
 */
export type JobKind = {
  readonly name: string;
  /** Milliseconds from one run to the next, a positive whole number; asked each time, so that it follows the settings. */
  readonly everyMs: () => number | Promise<number>;
  /** How often a run is tried before it has failed. */
  readonly attempts: number;
  /** Does the work and says what was done. Throws to be tried again. */
  readonly run: (context: JobContext) => Promise<JobReport>;
};

/** One run of a kind; there is one for each slot. */
export type JobRun = {
  /** `{kind}/{slot}`. */
  readonly id: string;
  readonly kind: string;
  readonly slot: string;
  /** Who asked for it. */
  readonly cause: 'schedule' | 'hand';
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Attempts begun so far. */
  readonly attempts: number;
  /** When the last attempt began, and when the run ended; ISO instants. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly report: JobReport | null;
  /** What the last attempt failed with. */
  readonly error: string | null;
};

/** A run that was done by hand. */
export type RunByHand = Pick<JobRun, 'kind' | 'slot' | 'startedAt' | 'endedAt'> & {
  readonly report: JobReport;
};

/** When a kind is due. */
export type Schedule = {
  readonly kind: string;
  readonly everyMs: number;
  /** ISO instant of the next slot. */
  readonly nextAt: string;
  /** The run that began last; null when none is kept. */
  readonly last: JobRun | null;
};

/** Bounds and times of a worker. */
export const jobLimits = {
  /** Ended runs that are kept of each kind; older ones are forgotten. */
  runsKept: 100,
  /** Runs of a kind that wait; more are refused with `overloaded`. */
  waiting: 100,
  /** Runs that one call may list. */
  page: 1_000,
  /** Between two looks at what is due. */
  reconcileMs: 60_000,
  /** A worker that has not given a sign for that long is dead, and its run is another's. */
  leaseMs: 6_000,
  /** A run that takes longer is told to end. */
  runMs: 60 * 60 * 1_000,
  /** First and longest pause after an attempt that failed. */
  retryFirstMs: 1_000,
  retryLastMs: 60_000,
} as const;

export type JobLimits = { readonly [Name in keyof typeof jobLimits]: number };

/** What an operator should hear of: of one kind, or, without one, of the store that the runs of all are kept in. */
export type JobProblem = { readonly kind?: string; readonly message: string; readonly attempt?: number };

/** What jobs are made of, apart from where they are kept. */
export type JobsOptions = {
  readonly kinds: readonly JobKind[];
  readonly onProblem: (problem: JobProblem) => void;
  /** Hears that a store that was away, which was a problem once and not for each look since then, is back. */
  readonly onRecovered?: (() => void) | undefined;
  readonly clock?: Clock;
  /**
   * Why no run begins just now, because the clock is not accepted: none is asked for, and an attempt that is under way when
   * that comes about is made again and not counted. Left out where the clock is right whatever it says.
   */
  readonly hold?: Hold;
  readonly random?: Random;
  readonly timers?: Timers;
  readonly limits?: Partial<JobLimits>;
  /** True for a program that looks at runs and asks for them, and begins none: a worker does, at its next look at the latest. */
  readonly onlyAsks?: boolean;
};

/**
 * One worker of recurring jobs. Every adapter passes `describeJobs` in `jobs/contract`.
 *
 * Time is cut into slots of `everyMs`, counted from the epoch. The newest slot that has begun is due until a run for it
 * has ended; one that was missed is not made up for, because the run for the newest does all there is to do. Of a kind,
 * at most one run is under way in a store, however many workers share it. What is kept can be lost at any time: then
 * what is due runs again.
 *
 * Errors, all `LodeError`: `validation_failed` for a kind that there is not, `overloaded`, `unavailable`.
 */
export interface Jobs {
  /** Begins to look for what is due, now and from time to time, until `stop`. A bug where it only asks. */
  start(): void;

  /** Puts back every run that is due and missing, and begins what can begin. Failures are reported, never thrown. */
  reconcile(): Promise<void>;

  /**
   * Asks for a run at once, for the slot that is now. Gives that run: the same one when it was asked for before. It
   * waits while another run of the kind is under way.
   */
  runNow(kind: string): Promise<JobRun>;

  /** Every kind with its next slot and its last run. */
  schedules(): Promise<readonly Schedule[]>;

  /** Resolves when the store that runs are kept in answers; rejects with `unavailable` when it doesn't. */
  reach(): Promise<void>;

  /** The runs of a kind, the one asked for last first; at most `limit`. */
  runs(kind: string, limit: number): Promise<readonly JobRun[]>;

  /** Tells the run under way to end, waits for it, and leaves it to be taken up again. */
  stop(): Promise<void>;
}
