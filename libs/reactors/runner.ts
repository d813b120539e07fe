import {
  comparePositions,
  createSignal,
  delay,
  logStart,
  systemClock,
  systemRandom,
  systemTimers,
  serializeError,
  type Clock,
  type ErrorCode,
  type Position,
  type Random,
  type Timers,
} from '#kernel';
import type { EventStore } from '#event-store';
import type { Checkpoints, ParkedEvent } from './checkpoints.js';
import { deliver, deliverAll, type Execute } from './deliver.js';
import type { FollowUps } from './follow-ups.js';
import { reactorLimits, type ReactorLimits } from './limits.js';
import { createParking, type Parking } from './parking.js';

/** How a reactor stands. */
export type ReactorHealth = {
  readonly name: string;
  readonly position: Position;
  /** `halted` when more is parked than may be: nothing further is read until some of it succeeds. */
  readonly state: 'starting' | 'current' | 'behind' | 'halted';
  /** For how long events may have waited; 0 when none does. */
  readonly secondsBehind: number;
  /** Events whose command fails again and again, oldest first. */
  readonly parked: readonly ParkedEvent[];
  /** All that are to be tried again, those behind a failed one included. */
  readonly owed: number;
  /** What it is trying again, when an engine fails it. */
  readonly failing?: { readonly code: ErrorCode; readonly message: string; readonly attempts: number };
};

export type ReactorReport =
  /** An event failed once more than may be put down to chance, or a parked one was handled after all. */
  | { readonly type: 'parked'; readonly reactor: string; readonly event: ParkedEvent }
  | { readonly type: 'released'; readonly reactor: string; readonly event: ParkedEvent }
  | {
      readonly type: 'failing';
      readonly reactor: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly attempts: number;
    }
  | { readonly type: 'recovered'; readonly reactor: string };

export type ReactorRunnerOptions<Command> = {
  /** The reactor's name. */
  readonly name: string;
  readonly log: Pick<EventStore, 'head'>;
  readonly followUps: FollowUps<Command>;
  readonly checkpoints: Checkpoints;
  readonly execute: Execute<Command>;
  /** Called in order; it must not throw. */
  readonly report?: (report: ReactorReport) => void;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly timers?: Timers;
  readonly limits?: Partial<ReactorLimits>;
};

export type ReactorRunner = {
  readonly name: string;
  /** Begins to run. It goes on until `stop`; failures are reported, shown by `health`, and tried again. */
  readonly start: () => void;
  /** The log may have grown. */
  readonly wake: () => void;
  /** Tries every parked event again at once. */
  readonly retryParked: () => void;
  /** Finishes what is under way. */
  readonly stop: () => Promise<void>;
  readonly health: () => ReactorHealth;
  /** Resolves once it has come to the end of the log for the first time; what was parked on the way may be owed still. */
  readonly caughtUp: Promise<void>;
};

/** Where a reactor has got to, since it was loaded. */
type Progress = { position: Position; readonly parking: Parking; savedPosition: Position; savedAt: number };

/**
 * Carries out what follows from the log: asks what does, issues those commands, then remembers how far it is. Whatever dies in between, the commands are issued again, and being the same commands they are done once.
 */
export function createReactorRunner<Command>(options: ReactorRunnerOptions<Command>): ReactorRunner {
  const { name, log, followUps, checkpoints, report = () => undefined } = options;
  const { clock = systemClock, timers = systemTimers, random = systemRandom } = options;
  const limits: ReactorLimits = { ...reactorLimits, ...options.limits };
  const signal = createSignal(timers);
  let progress: Progress | undefined;
  let failing: ReactorHealth['failing'];
  let waitingSince: number | undefined = clock();
  let rings = 0;
  let isStopping = false;
  let ended: Promise<void> | undefined;
  const caughtUp = Promise.withResolvers<void>();

  async function prepare(): Promise<Progress> {
    const stored = await checkpoints.load(name);
    // A log that was put back from a backup may be shorter than what is remembered of it.
    const isAhead = comparePositions(stored.position, await log.head()) > 0;
    const position = isAhead ? logStart : stored.position;
    const parking = createParking(stored.parked, clock, limits);
    if (isAhead) for (const parked of stored.parked) parking.release(parked);
    return { position, parking, savedPosition: stored.position, savedAt: clock() };
  }

  /** Tries what is due of the parked events again, key by key; the next of a key as soon as the one before is handled. */
  async function retry({ parking }: Progress): Promise<number> {
    const due = parking.due(limits.retried);
    for (const parked of due) {
      const followUp = await followUps.readAgain(parked);
      if (followUp === undefined) {
        // Another log than the one it was parked from: there is nothing to do for an event that is not in it.
        parking.release(parked);
        continue;
      }
      const failure = await deliver(followUp, options.execute);
      if (failure === undefined) {
        parking.release(parked);
        if (parked.attempts >= limits.tries) report({ type: 'released', reactor: name, event: parked });
      } else {
        const now = parking.fail(followUp.event, parked.key, failure.error);
        if (now.attempts === limits.tries) report({ type: 'parked', reactor: name, event: now });
      }
    }
    return due.length;
  }

  /** Remembers how far this is, at once when anything was done and from time to time when not. */
  async function save(now: Progress, didAnything: boolean): Promise<void> {
    const isLong = Math.abs(clock() - now.savedAt) >= limits.saveMs;
    if (!didAnything && (!isLong || now.position === now.savedPosition)) return;
    const { position, parking } = now;
    await checkpoints.save(name, { position, ...parking.changes() });
    parking.saved();
    now.savedPosition = position;
    now.savedAt = clock();
  }

  async function turn(now: Progress): Promise<void> {
    const { parking, position } = now;
    signal.lower();
    const rung = rings;
    const retried = await retry(now);
    if (parking.count() >= limits.parked) {
      await save(now, retried > 0);
      recovered();
      await rest(parking, limits.pollMs);
      return;
    }
    const read = await followUps.read(position, limits.page);
    await deliverAll(read.followUps, parking, options.execute, limits.atOnce);
    const { scanned } = read;
    now.position = scanned;
    await save(now, read.followUps.length + retried > 0);
    recovered();
    if (scanned !== position) {
      // A breath in any case: a long log is looked through without holding up whoever else is on this thread.
      await signal.stopOr(limits.gatherMs);
      return;
    }
    if (rung === rings) waitingSince = undefined;
    caughtUp.resolve();
    await rest(parking, limits.pollMs);
  }

  function rest(parking: Parking, ms: number): Promise<void> {
    return signal.raisedOr(Math.min(ms, Math.max(limits.gatherMs, parking.nextIn() ?? ms)));
  }

  async function failed(error: unknown): Promise<void> {
    const attempts = (failing?.attempts ?? 0) + 1;
    const { code, message } = serializeError(error);
    failing = { code, message, attempts };
    waitingSince ??= clock();
    report({ type: 'failing', reactor: name, code, message, attempts });
    await signal.stopOr(
      delay(attempts, { firstMs: limits.backOffFirstMs, lastMs: limits.backOffLastMs, jitter: 0.5 }, random),
    );
  }

  function recovered(): void {
    if (failing === undefined) return;
    failing = undefined;
    report({ type: 'recovered', reactor: name });
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        progress ??= await prepare();
        await turn(progress);
      } catch (error) {
        await failed(error);
      }
    }
    // What could not be saved now is looked through again by the next start.
    if (progress !== undefined) await save(progress, true).catch(() => undefined);
  }

  function stateNow(): ReactorHealth['state'] {
    if (progress === undefined) return 'starting';
    if (progress.parking.count() >= limits.parked) return 'halted';
    return waitingSince === undefined ? 'current' : 'behind';
  }

  return {
    name,
    start: () => {
      ended ??= run();
    },
    wake: () => {
      rings += 1;
      waitingSince ??= clock();
      signal.raise();
    },
    retryParked: () => {
      progress?.parking.hurry();
      signal.raise();
    },
    stop: async () => {
      isStopping = true;
      signal.stop();
      await ended;
    },
    caughtUp: caughtUp.promise,
    health: () => ({
      name,
      position: progress?.position ?? logStart,
      state: stateNow(),
      secondsBehind: waitingSince === undefined ? 0 : Math.max(0, (clock() - waitingSince) / 1_000),
      parked: progress?.parking.failed(limits.tries) ?? [],
      owed: progress?.parking.count() ?? 0,
      ...(failing === undefined ? {} : { failing }),
    }),
  };
}
