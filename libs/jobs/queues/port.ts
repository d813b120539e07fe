import type { JobKind, JobLimits, JobReport, JobRun } from '../port.js';

/** What a run is in one of BullMQ's lists. */
export const STATES = {
  wait: 'waiting',
  delayed: 'waiting',
  active: 'running',
  completed: 'done',
  failed: 'failed',
} as const;

/** What is kept with a run from its beginning. */
export type RunData = Pick<JobRun, 'slot' | 'cause' | 'attempts' | 'startedAt'> & {
  /** Runs are numbered in the order in which they were asked for. */
  readonly number: number;
};

/** A run that this worker has the lock of, with what was kept of it then. */
export type ClaimedRun = { readonly data: RunData };

/** What becomes of a run that its worker leaves. */
export type Outcome =
  | { readonly state: 'done'; readonly report: JobReport }
  /** The attempt failed; it was the last one or is made again. */
  | { readonly state: 'failed' | 'waiting'; readonly error: string }
  /** It was only interrupted, and does not count. */
  | { readonly state: 'interrupted' }
  /** Nobody knows what it did: it does not count, and is made again after a pause. */
  | { readonly state: 'unknown' };

/** A run is looked at for a dead worker so often in the time of a lease. */
export const LOOKS_PER_LEASE = 2;

/**
 * The runs of a kind on a server, of which one at most is under way, whoever fetches: whoever runs it has a lock that lasts
 * for a lease. Each call fails with `unavailable` when it is not known what became of it. Takes what it gave out alone.
 */
export interface RunQueue<Claimed extends ClaimedRun = ClaimedRun> {
  /** Asks for a run unless it was asked for before and is still kept. */
  ask(slot: string, cause: JobRun['cause']): Promise<void>;
  /** Forgets scheduled runs that never began: the one for `slot` does their work. */
  supersede(slot: string): Promise<void>;
  /** How many runs are under way, wait for their turn, and rest after an attempt that failed. */
  counts(): Promise<{ readonly active: number; readonly waiting: number; readonly resting: number }>;
  /**
   * Takes the run that was asked for first, with a lock that lasts for a lease; undefined when none waits or one is
   * under way elsewhere.
   */
  claim(): Promise<Claimed | undefined>;
  /** Keeps that an attempt has begun. */
  begin(job: Claimed, startedAt: string): Promise<void>;
  /** Puts a claimed run back that was not begun. */
  putBack(job: Claimed): Promise<void>;
  /** Extends the lock by a lease; false when the run is no longer this worker's. */
  beat(job: Claimed): Promise<boolean>;
  /** Leaves a run. When it is no longer this worker's, nothing is changed. */
  leave(job: Claimed, outcome: Outcome, endedAt: string): Promise<void>;
  /** Puts back what workers ran whose locks have run out; true when there was something. */
  putBackStalled(): Promise<boolean>;
  /** All that is kept as it is at one moment, the run asked for last first. */
  all(): Promise<readonly JobRun[]>;
  close(): Promise<void>;
}

/** Which queue it is, and whose. */
export type QueueOf = {
  readonly kind: Pick<JobKind, 'name' | 'attempts'>;
  readonly limits: JobLimits;
  /** Which of the workers that share the server this is. */
  readonly token: string;
};

/** The server that queues are on, as a worker has it. */
export type QueueServer = {
  readonly queueOf: (which: QueueOf) => RunQueue;
  /** Rejects with `unavailable` when it doesn't take anything. */
  readonly reach: () => Promise<void>;
  /** Whether an error says that it is away, which was told when it went. */
  readonly isAway: (error: unknown) => boolean;
  /** Tells what the server that went away failed with, and nothing once it is back. */
  readonly onOutage: (listener: (failure: unknown) => void) => void;
  /** Tells that it is there again. */
  readonly onReconnected: (listener: () => void) => void;
  readonly close: () => void;
};
