import type { Logger } from 'pino';
import type { Bus, Ports, Processes, SettingsInForce } from '#application';
import { REACTORS, type Engines } from '#engines';
import type { JobKind, Jobs, JobsOptions } from '#jobs';
import { invariant, thisMachine, type Machine, type Timers, type Tracer } from '#kernel';
import { createActiveRunner, type ActiveRunner, type Lease, type Leases } from '#leases';
import type { ReactorHealth, StoredReactor } from '#reactors';
import { placeOrder, takeOrders, untilReadable, type Reactions } from '../projector/index.js';
import { createPresence, type Presence } from './presence.js';
import { bonusTick, type BonusTickOptions } from './bonus-tick.js';
import { fileSweep } from './file-sweep.js';
import { mailJob } from './mail.js';
import { startReactors, type Reactors } from './reactors.js';

export type ProcessesOptions = {
  /** Whether this program runs reactors, in its turn, and whether it runs jobs; otherwise it asks for runs alone. */
  readonly runs: { readonly reactors: boolean; readonly jobs: boolean };
  /** Bounds of the jobs that are not the usual ones. */
  readonly jobLimits?: JobsOptions['limits'] | undefined;
  /** Where they remember what they did, and whether mails are sent. */
  readonly memory: Pick<Engines, 'openCheckpoints' | 'storedReactors' | 'createJobs' | 'orders' | 'mail'> &
    Partial<Pick<Engines, 'bell'>>;
  /** For the reactors, which one program runs at a time, and to tell others that somebody runs jobs. Jobs take each run by itself. */
  readonly leases: Pick<Leases, 'acquire' | 'isHeld'>;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
  readonly ports: Pick<Ports, 'eventStore' | 'readStore' | 'clock' | 'hold'>;
  readonly settings: Pick<SettingsInForce, 'current'>;
  /** Where the log is read for reactors. */
  readonly reactions: Reactions;
  /** Those who pay the bonus. */
  readonly bonusWorkers: BonusTickOptions['workers'];
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly tracer?: Tracer | undefined;
};

/** What the program does by itself. */
export type RunningProcesses = Processes & {
  /**
   * Begins to run the reactors, or stands by while another program does; `bus` is their way to the application. Where it
   * runs none it begins nothing.
   */
  readonly start: (bus: Pick<Bus, 'execute'>) => Promise<void>;
  /** Begins to run jobs, after `start`, where it does. */
  readonly startJobs: () => void;
  /** Resolves true once reactors have done what a death left undone, or another program runs them; false after `timeoutMs`. */
  readonly caughtUp: (timeoutMs: number) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

/** Reactors and jobs, to be started. */
export function createProcesses(options: ProcessesOptions): RunningProcesses {
  const { runs, leases, timers, ports, logger, machine = thisMachine } = options;
  const { createJobs, orders, bell } = options.memory;
  const { clock, hold } = ports;
  let application: Pick<Bus, 'execute'> | undefined;
  const bus: Pick<Bus, 'execute'> = {
    execute: (command) => {
      invariant(application !== undefined, 'jobs run once there is a way to the application');
      return application.execute(command);
    },
  };
  let reactors: Reactors | undefined;
  let turns: ActiveRunner | undefined;
  const jobs = createJobs({
    kinds: kindsOf(options, bus),
    onProblem: (problem) => logger.error(problem, 'job'),
    onRecovered: () => logger.warn('the store of jobs answers again'),
    clock,
    hold,
    limits: options.jobLimits ?? {},
    onlyAsks: !runs.jobs,
  });
  const presence = presenceOf(options, jobs);
  return {
    jobs,
    jobsCondition: presence.condition,
    reactors: () => reactors?.health() ?? [],
    reactorsElsewhere: async () =>
      (await options.memory.storedReactors()).map((one) => asStored(one, clock())),
    retryReactors: async () => {
      if (reactors !== undefined) reactors.retryParked();
      else if (orders !== undefined) await placeOrder({ orders, bell, machine }, REACTORS, RETRY);
    },
    // While the clock is not accepted they wait, and whoever starts does not wait for them.
    caughtUp: async (timeoutMs) => hold() !== undefined || ((await reactors?.caughtUp(timeoutMs)) ?? true),
    start: async (given) => {
      application = given;
      presence.start();
      if (!runs.reactors) return;
      turns = createActiveRunner({
        leases,
        name: REACTORS,
        begin: async (lease) => {
          const begun = reactorsUnder(lease, options, given);
          reactors = begun;
          const stopTaking = takeRetries(options, begun);
          return async () => {
            await stopTaking();
            reactors = undefined;
            await begun.stop();
          };
        },
        onProblem: (problem) => logger.warn(problem, 'reactors'),
        timers,
        machine,
      });
      await turns.start();
    },
    startJobs: () => {
      if (runs.jobs) jobs.start();
    },
    stop: async () => {
      await Promise.all([presence.stop(), jobs.stop(), turns?.stop()]);
    },
  };
}

/** Starts the reactors of whoever has their lease. */
function reactorsUnder(lease: Lease, options: ProcessesOptions, bus: Pick<Bus, 'execute'>): Reactors {
  const { memory, ports, reactions, timers, machine, logger, tracer } = options;
  return startReactors({
    eventStore: ports.eventStore,
    reactions,
    bus,
    checkpoints: memory.openCheckpoints(lease),
    sendsMail: memory.mail !== undefined,
    onReport: (report) => logger.warn(report, 'reactor'),
    clock: ports.clock,
    hold: ports.hold,
    timers,
    machine,
    tracer,
  });
}

function presenceOf({ runs, memory, leases, timers, machine }: ProcessesOptions, jobs: Jobs): Presence {
  return createPresence({
    runsJobs: !runs.jobs ? 'no' : runs.reactors ? 'also' : 'only',
    jobs,
    // Where nobody is to be ordered anything there is no other program.
    leases: memory.orders === undefined ? undefined : leases,
    timers,
    machine,
  });
}

/** How a reactor stands by what is stored of it: what it tries again, and not how far it is behind, which it stores only now and then. */
function asStored({ name, position, parked }: StoredReactor, now: number): ReactorHealth {
  const failed = parked.filter(({ attempts }) => attempts > 0);
  const since = Math.min(now, ...failed.map((one) => Date.parse(one.since)));
  return {
    name,
    position,
    state: parked.length > 0 ? 'behind' : 'current',
    secondsBehind: Math.round((now - since) / 1_000),
    parked: failed,
    owed: parked.length,
  };
}

/** The order to try everything again at once. */
const RETRY = 'retry';

/** Has those who run elsewhere order that what is parked is tried again; gives what ends that. */
function takeRetries(
  { memory: { orders, bell }, timers, machine, logger }: ProcessesOptions,
  reactors: Pick<Reactors, 'retryParked'>,
): () => Promise<void> {
  if (orders === undefined) return async () => undefined;
  return takeOrders({
    orders,
    to: [REACTORS],
    bell,
    carryOut: async (what) => {
      invariant(what === RETRY, 'reactors know one order');
      reactors.retryParked();
      return null;
    },
    onFailing: (failing) => logger.warn(failing, 'orders to the reactors'),
    timers,
    machine,
  });
}

/** Every kind of job that there is. */
function kindsOf(
  { ports, timers, settings, bonusWorkers }: ProcessesOptions,
  bus: Pick<Bus, 'execute'>,
): readonly JobKind[] {
  const { readStore, clock } = ports;
  return [
    bonusTick({
      readStore,
      readable: (signal) => untilReadable(readStore, timers, signal),
      workers: bonusWorkers,
      settingsInForce: settings.current,
      clock,
      timers,
    }),
    fileSweep(bus),
    mailJob(bus),
  ];
}
