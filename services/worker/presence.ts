import type { JobsCondition } from '#application';
import { JOBS } from '#engines';
import type { Jobs } from '#jobs';
import {
  createRunLoop,
  isLodeError,
  LodeError,
  thisMachine,
  type Machine,
  type RetryPolicy,
  type Timers,
} from '#kernel';
import { leaseLimits, type Lease, type Leases } from '#leases';

/** Between two looks, in milliseconds: some fit into the time of a lease. */
const LOOK_MS = leaseLimits.ttlMs / 3;
/** Pauses while where runs or leases are kept can't be reached. */
const RETRY: RetryPolicy = { firstMs: 1_000, lastMs: LOOK_MS, jitter: 0.5 };

export type PresenceOptions = {
  readonly runsJobs: JobsCondition['runsJobs'];
  readonly jobs: Pick<Jobs, 'reach'>;
  /** Undefined where no other program could run jobs, nor look whether one does. */
  readonly leases: Pick<Leases, 'acquire' | 'isHeld'> | undefined;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
};

/** Whether any program is there that runs jobs. */
export type Presence = {
  /** What the last look found; rejects with what it failed with when it could not tell. */
  readonly condition: () => Promise<JobsCondition>;
  /** Begins to look, and where the program runs jobs to tell others that it is there. */
  readonly start: () => void;
  /** Lets go of the lease, so that others see at once that nobody is there any more. */
  readonly stop: () => Promise<void>;
};

/**
 * Looks whether the store of runs answers to a program that runs jobs. One of those to which it does has a lease, and so
 * every program, also one that knows no such store, can tell that a worker is there: by the log's own servers.
 */
export function createPresence(options: PresenceOptions): Presence {
  const { runsJobs, jobs, leases, timers, machine = thisMachine } = options;
  let lease: Lease | undefined;
  let failure: LodeError | undefined;
  let notKnown: { readonly error: unknown } | undefined;
  /** When nobody was found there for the first time since somebody was. */
  let unseenSince: number | undefined;

  const reach = async () => {
    if (runsJobs === 'no') return;
    failure = await jobs.reach().then(
      () => undefined,
      (error: unknown) =>
        isLodeError(error) ? error : new LodeError('internal', 'Jobs failed.', {}, { cause: error }),
    );
  };
  const keepLease = async () => {
    if (leases === undefined) return;
    if (lease !== undefined && (await lease.renew())) return;
    lease = await leases.acquire(JOBS);
  };
  const look = async () => {
    const isHere = runsJobs !== 'no' && failure === undefined;
    const isSeen = isHere || (await leases?.isHeld(JOBS)) === true;
    unseenSince = isSeen ? undefined : (unseenSince ?? machine.monotonic());
    // Not renewed while runs can't be reached, the lease goes to one that can do something, or to nobody.
    if (isHere) await keepLease();
  };
  const loop = createRunLoop({
    turn: async () => {
      await reach();
      try {
        await look();
        notKnown = undefined;
      } catch (error) {
        // One that runs jobs itself needs no lease to know of it.
        notKnown = runsJobs !== 'no' && failure === undefined ? undefined : { error };
        throw error;
      }
      if (failure !== undefined) throw failure;
      return { until: 'stopped', ms: LOOK_MS };
    },
    // Health says so; and so do those who ask for what is away.
    onFailing: () => undefined,
    onRecovered: () => undefined,
    onStopped: async () => {
      await lease?.release().catch(() => undefined);
    },
    retry: RETRY,
    clock: machine.clock,
    random: machine.random,
    timers,
  });

  return {
    condition: async () => {
      if (notKnown !== undefined) throw notKnown.error;
      const now = machine.monotonic();
      return { runsJobs, failure, unseenMs: now - (unseenSince ?? now) };
    },
    start: loop.start,
    stop: loop.stop,
  };
}
