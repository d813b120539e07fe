import {
  comparePositions,
  createRunLoop,
  logStart,
  systemClock,
  systemRandom,
  systemTimers,
  type Clock,
  type ErrorCode,
  type Failing,
  type Hold,
  type Pause,
  type Position,
  type Random,
  type Timers,
  type Tracer,
} from '#kernel';
import type { EventStore } from '#event-store';
import type { Checkpoints, ParkedEvent } from './checkpoints.js';
import { deliver, deliverAll, type Execute } from './deliver.js';
import type { FollowUps } from './follow-ups.js';
import { reactorLimits, type ReactorLimits } from './limits.js';
import { createParking, type Parking } from './parking.js';
import { traced } from './traced.js';

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
  | {
      readonly type: 'parked' | 'released';
      readonly reactor: string;
      readonly event: ParkedEvent;
      /** That of the event: what was asked for in the end, and its trace. */
      readonly correlationId: string;
    }
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
  /** Why nothing is done just now, because the clock is not accepted; left out where it is right whatever it says. */
  readonly hold?: Hold | undefined;
  readonly random?: Random;
  readonly timers?: Timers;
  readonly tracer?: Tracer | undefined;
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

/** How far a reactor has got since it was loaded. */
type Progress = {
  position: Position;
  ordinal: number;
  readonly parking: Parking;
  savedPosition: Position;
  savedAt: number;
};

/** A reactor's runner: what it works with, and how it stands. */
type Runner<Command> = {
  readonly options: ReactorRunnerOptions<Command>;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: ReactorLimits;
  readonly report: (report: ReactorReport) => void;
  /** Undefined until it has been loaded. */
  progress: Progress | undefined;
  /** Since when events may wait, by the clock; undefined when none does. */
  waitingSince: number | undefined;
  /** How often it was woken. */
  wakes: number;
  /** It has come to the end of the log. */
  readonly caughtUp: PromiseWithResolvers<void>;
};

/**
 * Carries out what follows from the log: asks what does, issues those commands, then remembers how far it is. Whatever
 * dies in between, the commands are issued again, and being the same commands they are done once.
 */
export function createReactorRunner<Command>(given: ReactorRunnerOptions<Command>): ReactorRunner {
  const options = { ...given, execute: traced(given.tracer, given.name, given.execute) };
  const { name, clock = systemClock, random = systemRandom, timers = systemTimers } = options;
  const { report = () => undefined } = options;
  const limits: ReactorLimits = { ...reactorLimits, ...options.limits };
  const caughtUp = Promise.withResolvers<void>();
  const state = { progress: undefined, waitingSince: clock(), wakes: 0, caughtUp };
  const runner: Runner<Command> = { options, clock, random, limits, report, ...state };
  const loop = createRunLoop({
    turn: () => turn(runner),
    onFailing: ({ code, message, attempts }) => {
      runner.waitingSince ??= clock();
      report({ type: 'failing', reactor: name, code, message, attempts });
    },
    onRecovered: () => report({ type: 'recovered', reactor: name }),
    // What could not be saved now is looked through again by the next start.
    onStopped: async () => {
      if (runner.progress !== undefined) await save(runner, runner.progress, true).catch(() => undefined);
    },
    retry: { firstMs: limits.backOffFirstMs, lastMs: limits.backOffLastMs, jitter: 0.5 },
    clock,
    random,
    timers,
  });

  return {
    name,
    start: loop.start,
    wake: () => {
      runner.wakes += 1;
      runner.waitingSince ??= clock();
      loop.wake();
    },
    retryParked: () => {
      runner.progress?.parking.retryNow();
      loop.wake();
    },
    stop: loop.stop,
    caughtUp: caughtUp.promise,
    health: () => healthOf(runner, loop.failing()),
  };
}

/** One turn of a runner. */
async function turn<Command>(runner: Runner<Command>): Promise<Pause> {
  const { followUps, execute, hold } = runner.options;
  const { limits, wakes } = runner;
  if (hold?.() !== undefined) return { until: 'stopped', ms: limits.pollMs };

  // 1. Where it stood when it was last saved.
  const progress = (runner.progress ??= await load(runner));
  const { parking, position } = progress;

  // 2. Parked events whose pause is over are tried again.
  await retryDue(runner, parking);
  if (parking.count() >= limits.parked) {
    await save(runner, progress, false);
    return untilDue(parking, limits);
  }

  // 3. What follows from the next page of the log.
  const read = await followUps.read(position, limits.page);

  // 4. Those commands are carried out; an event whose command fails is parked, and holds back those of its key.
  await deliverAll(read.followUps, parking, execute, limits.concurrency);

  // 5. How far it is, is saved after that: whoever dies before does it again.
  progress.position = read.scanned;
  progress.ordinal += read.passed;
  await save(runner, progress, read.followUps.length > 0);

  // 6. At the end of the log it rests until somebody wakes it or a parked event is due. Before that it takes a breath in
  // any case: a long log is looked through without holding up whoever else is on this thread.
  if (read.scanned !== position) return { until: 'stopped', ms: limits.gatherMs };
  if (wakes === runner.wakes) runner.waitingSince = undefined;
  runner.caughtUp.resolve();
  return untilDue(parking, limits);
}

async function load<Command>({ options, clock, random, limits }: Runner<Command>): Promise<Progress> {
  const stored = await options.checkpoints.load(options.name);
  // A log that was put back from a backup may be shorter than what is remembered of it.
  const isAhead = comparePositions(stored.position, await options.log.head()) > 0;
  const { position, ordinal } = isAhead ? { position: logStart, ordinal: 0 } : stored;
  const parking = createParking(stored.parked, { clock, random, limits });
  if (isAhead) for (const parked of stored.parked) parking.release(parked);
  return { position, ordinal, parking, savedPosition: stored.position, savedAt: clock() };
}

/** Tries what is due of the parked events again, key by key; the next of a key as soon as the one before is handled. */
async function retryDue<Command>(
  { options: { name, followUps, execute }, limits, report }: Runner<Command>,
  parking: Parking,
): Promise<void> {
  for (const parked of parking.due(limits.retried)) {
    const followUp = await followUps.readAgain(parked);
    if (followUp === undefined) {
      // Another log than the one it was parked from: there is nothing to do for an event that is not in it.
      parking.release(parked);
      continue;
    }
    const { correlationId } = followUp.event;
    const failure = await deliver(followUp, execute);
    if (failure === undefined) {
      parking.release(parked);
      if (parked.attempts >= limits.tries)
        report({ type: 'released', reactor: name, event: parked, correlationId });
    } else {
      const now = parking.fail(followUp.event, parked.key, failure.error);
      if (now.attempts === limits.tries) report({ type: 'parked', reactor: name, event: now, correlationId });
    }
  }
}

/**
 * Remembers how far this is: at once when `isDue`, or when what is parked has changed since the last save that went well,
 * and from time to time when not.
 */
async function save<Command>(
  { options: { name, checkpoints }, clock, limits }: Runner<Command>,
  progress: Progress,
  isDue: boolean,
): Promise<void> {
  const { position, ordinal, parking } = progress;
  const changes = parking.changes();
  const hasChanged = changes.put.length + changes.remove.length > 0;
  const isLong = Math.abs(clock() - progress.savedAt) >= limits.saveMs;
  if (!isDue && !hasChanged && (!isLong || position === progress.savedPosition)) return;
  await checkpoints.save(name, { position, ordinal, ...changes });
  parking.saved();
  progress.savedPosition = position;
  progress.savedAt = clock();
}

function untilDue(parking: Parking, { gatherMs, pollMs }: ReactorLimits): Pause {
  return { until: 'woken', ms: Math.min(pollMs, Math.max(gatherMs, parking.nextIn() ?? pollMs)) };
}

function healthOf<Command>(
  { options: { name }, clock, limits, progress, waitingSince }: Runner<Command>,
  failing: Failing | undefined,
): ReactorHealth {
  const owed = progress?.parking.count() ?? 0;
  const state = () => {
    if (progress === undefined) return 'starting';
    if (owed >= limits.parked) return 'halted';
    return waitingSince === undefined ? 'current' : 'behind';
  };
  return {
    name,
    position: progress?.position ?? logStart,
    state: state(),
    secondsBehind: waitingSince === undefined ? 0 : Math.max(0, (clock() - waitingSince) / 1_000),
    parked: progress?.parking.failed(limits.tries) ?? [],
    owed,
    ...(failing === undefined
      ? {}
      : { failing: { code: failing.code, message: failing.message, attempts: failing.attempts } }),
  };
}
