import {
  comparePositions,
  createSignal,
  isOutage,
  logStart,
  systemClock,
  systemRandom,
  systemTimers,
  serializeError,
  type Clock,
  type ErrorCode,
  type Position,
  type Random,
  type RecordedEvent,
  type Timers,
} from '#kernel';
import type { CommandContext } from '#commands';
import type { EventStore } from '#event-store';
import type { Checkpoints, ParkedEvent } from './checkpoints.js';
import { reactorLimits, type ReactorLimits } from './limits.js';
import { createParking, type Parking } from './parking.js';
import { contextFor, type Reactor, type ReactorCommand } from './reactor.js';

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
  readonly reactor: Reactor<Command>;
  readonly log: Pick<EventStore, 'readTypes' | 'readStream' | 'head'>;
  readonly checkpoints: Checkpoints;
  /** Carries out a command, once for each command id. */
  readonly execute: (command: ReactorCommand<Command>, context: CommandContext) => Promise<unknown>;
  /** Called in order; it must not throw. */
  readonly report?: (report: ReactorReport) => void;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly timers?: Timers;
  readonly limits?: Partial<ReactorLimits>;
};

export type ReactorRunner = {
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
 * Carries out what follows from the log: reads the events that a reactor handles, issues their commands, then remembers
 * how far it is. Whatever dies in between, the commands are issued again, and being the same commands they are done once.
 */
export function createReactorRunner<Command>(options: ReactorRunnerOptions<Command>): ReactorRunner {
  const { reactor, log, checkpoints, report = () => undefined } = options;
  const { clock = systemClock, timers = systemTimers, random = systemRandom } = options;
  const limits: ReactorLimits = { ...reactorLimits, ...options.limits };
  const { name } = reactor;
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

  /** Issues the commands of one event. Answers with what failed; throws what an engine failed with. */
  async function deliver(event: RecordedEvent): Promise<{ readonly error: unknown } | undefined> {
    try {
      for (const command of reactor.on(event)) {
        await options.execute(command, contextFor(name, event, command.step));
      }
      return undefined;
    } catch (error) {
      if (isOutage(error)) throw error;
      return { error };
    }
  }

  async function handle(event: RecordedEvent, key: string, parking: Parking): Promise<void> {
    if (parking.holds(key)) {
      parking.wait(event, key);
      return;
    }
    const failure = await deliver(event);
    if (failure !== undefined) parking.fail(event, key, failure.error);
  }

  /** Handles a page: the events of a key one after the other, many keys at once. */
  async function handleAll(events: readonly RecordedEvent[], parking: Parking): Promise<void> {
    const lanes = new Map<string, RecordedEvent[]>();
    for (const event of events) {
      const key = reactor.keyOf(event);
      const lane = lanes.get(key);
      if (lane === undefined) lanes.set(key, [event]);
      else lane.push(event);
    }
    const waiting = [...lanes];
    const failures: unknown[] = [];
    const work = async () => {
      for (let lane = waiting.shift(); lane !== undefined && failures.length === 0; lane = waiting.shift()) {
        for (const event of lane[1]) await handle(event, lane[0], parking);
      }
    };
    const workers = Array.from({ length: Math.min(limits.atOnce, waiting.length) }, () =>
      work().catch((error: unknown) => failures.push(error)),
    );
    await Promise.all(workers);
    if (failures.length > 0) throw failures[0];
  }

  /** Tries what is due of the parked events again, key by key; the next of a key as soon as the one before is handled. */
  async function retry({ parking }: Progress): Promise<number> {
    const due = parking.due(limits.retried);
    for (const parked of due) {
      const { key, stream, revision } = parked;
      const [event] = await log.readStream(stream, { from: revision, limit: 1 });
      if (event?.id !== parked.eventId) {
        // Another log than the one it was parked from: there is nothing to do for an event that is not in it.
        parking.release(parked);
        continue;
      }
      const recorded = { ...event, position: parked.position };
      const failure = await deliver(recorded);
      if (failure === undefined) {
        parking.release(parked);
        if (parked.attempts >= limits.tries) report({ type: 'released', reactor: name, event: parked });
      } else {
        const now = parking.fail(recorded, key, failure.error);
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
    const { events, scanned } = await log.readTypes(reactor.handles, position, limits.page);
    await handleAll(events, parking);
    now.position = scanned;
    await save(now, events.length + retried > 0);
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
    const longest = Math.min(limits.backOffLastMs, limits.backOffFirstMs * 2 ** Math.min(attempts - 1, 20));
    await signal.stopOr(longest * (0.5 + (random(1)[0] ?? 0) / 510));
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
