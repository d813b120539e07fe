import {
  createRunLoop,
  createSignal,
  thisMachine,
  type Failing,
  type Machine,
  type Pause,
  type RetryPolicy,
  type Timers,
} from '#kernel';
import { leaseLimits, type Lease, type Leases } from './port.js';

/** Between two looks at a lease: it is renewed, or asked for, as often as fits into its time a few times. */
export const LOOK_MS = leaseLimits.ttlMs / 3;
/** Pauses while the leases can't be reached. */
export const RETRY: RetryPolicy = { firstMs: 1_000, lastMs: LOOK_MS, jitter: 0.5 };

/** What an operator should hear of a runner. */
export type ActiveRunnerProblem =
  /** Another program runs it by now. */
  | { readonly type: 'deposed'; readonly lease: string }
  /** The leases can't be reached, or it could not begin or end. It is tried again. */
  | ({ readonly type: 'failing'; readonly lease: string } & Omit<Failing, 'since'>);

export type ActiveRunnerOptions = {
  readonly leases: Pick<Leases, 'acquire'>;
  /** The lease's name. */
  readonly name: string;
  /** Begins the work under a lease, which is for the stores that check it, and gives what ends it. */
  readonly begin: (lease: Lease) => Promise<() => Promise<void>>;
  readonly onProblem: (problem: ActiveRunnerProblem) => void;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
};

/** Work that one program at a time does. */
export type ActiveRunner = {
  /** Resolves once the work has begun, or another program has the lease. Rejects with what either failed with. */
  readonly start: () => Promise<void>;
  /** Ends the work and lets the next one have the lease at once. */
  readonly stop: () => Promise<void>;
  readonly isActive: () => boolean;
  /**
   * What the work writes is refused as that of one that was replaced. At the next look it is ended and, if the lease is
   * still here, begun again: an earlier holder that was held up on its way to the store came to it last.
   */
  readonly beginAnew: () => void;
};

/**
 * Does some work while it has the lease, and stands by while another program has. While the leases can't be reached the
 * work goes on: what is written by a runner that another one has replaced is refused by its epoch.
 */
export function createActiveRunner(options: ActiveRunnerOptions): ActiveRunner {
  const { leases, name, begin, onProblem, timers, machine = thisMachine } = options;
  let held: { readonly lease: Lease; readonly end: () => Promise<void> } | undefined;
  let isRefused = false;

  const take = async () => {
    const lease = await leases.acquire(name);
    if (lease === undefined) return;
    isRefused = false;
    const stopRenewing = keepRenewing(lease, timers);
    try {
      held = { lease, end: await begin(lease) };
    } catch (error) {
      await lease.release().catch(() => undefined);
      throw error;
    } finally {
      stopRenewing();
    }
  };

  const turn = async (): Promise<Pause> => {
    if (held === undefined) await take();
    else if (!(await held.lease.renew())) {
      const { end } = held;
      held = undefined;
      onProblem({ type: 'deposed', lease: name });
      await end();
    } else if (isRefused) {
      const { lease, end } = held;
      held = undefined;
      // What fails to end is begun anew by whoever has the lease next, this program or another one.
      await end().catch(async (error: unknown) => {
        await lease.release().catch(() => undefined);
        throw error;
      });
      await take();
    }
    return { until: 'stopped', ms: LOOK_MS };
  };

  const loop = createRunLoop({
    turn,
    onFailing: ({ code, message, attempts }) =>
      onProblem({ type: 'failing', lease: name, code, message, attempts }),
    onRecovered: () => undefined,
    onStopped: async () => {
      const last = held;
      held = undefined;
      // What could not be ended or released runs out.
      await last?.end().catch(() => undefined);
      await last?.lease.release().catch(() => undefined);
    },
    retry: RETRY,
    clock: machine.clock,
    random: machine.random,
    timers,
  });

  return {
    start: async () => {
      await take();
      loop.start();
    },
    stop: loop.stop,
    isActive: () => held !== undefined,
    beginAnew: () => {
      isRefused = true;
    },
  };
}

/** Renews a lease while its work begins, which may take longer than it runs. Gives what ends that. */
export function keepRenewing(lease: Lease, timers: Timers): () => void {
  const signal = createSignal(timers);
  let isEnded = false;
  const renew = async () => {
    while (!isEnded) {
      await signal.stopOr(LOOK_MS);
      // One that was lost meanwhile is met by the first turn after this.
      if (!isEnded) await lease.renew().catch(() => undefined);
    }
  };
  void renew();
  return () => {
    isEnded = true;
    signal.stop();
  };
}
