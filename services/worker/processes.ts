import type { Logger } from 'pino';
import type { Bus, Ports, Processes, SettingsInForce } from '#application';
import { REACTORS, type Engines } from '#engines';
import { invariant, type Timers } from '#kernel';
import { createActiveRunner, type ActiveRunner, type Leases } from '#leases';
import { untilReadable, type Reactions } from '../projector/index.js';
import { bonusTick, type BonusTickOptions } from './bonus-tick.js';
import { fileSweep } from './file-sweep.js';
import { mailJob } from './mail.js';
import { startReactors, type Reactors } from './reactors.js';

export type ProcessesOptions = {
  /** Where they remember what they did, and whether mails are sent. */
  readonly memory: Pick<Engines, 'openCheckpoints' | 'createJobs' | 'mail'>;
  /** For the reactors, which one program runs at a time. Jobs take each run by itself. */
  readonly leases: Pick<Leases, 'acquire'>;
  readonly timers: Timers;
  readonly ports: Pick<Ports, 'eventStore' | 'readStore' | 'clock' | 'hold'>;
  readonly settings: Pick<SettingsInForce, 'current'>;
  /** Where the log is read for reactors. */
  readonly reactions: Reactions;
  /** Those who pay the bonus. */
  readonly bonusWorkers: BonusTickOptions['workers'];
  readonly logger: Logger;
};

/** What the program does by itself. */
export type RunningProcesses = Processes & {
  /** Begins to run the reactors, or stands by while another program does; `bus` is their way to the application. */
  readonly start: (bus: Pick<Bus, 'execute'>) => Promise<void>;
  /** Begins to run jobs, after `start`. */
  readonly startJobs: () => void;
  /** Resolves true once reactors have done what a death left undone, or another program runs them; false after `timeoutMs`. */
  readonly caughtUp: (timeoutMs: number) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

/** Reactors and jobs, to be started. */
export function createProcesses(options: ProcessesOptions): RunningProcesses {
  const { leases, timers, ports, settings, reactions, bonusWorkers, logger } = options;
  const { openCheckpoints, createJobs } = options.memory;
  const { eventStore, readStore, clock, hold } = ports;
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
    kinds: [
      bonusTick({
        readStore,
        readable: (signal) => untilReadable(readStore, timers, signal),
        workers: bonusWorkers,
        settingsInForce: settings.current,
        clock,
      }),
      fileSweep(bus),
      mailJob(bus),
    ],
    onProblem: (problem) => logger.error(problem, 'job'),
    clock,
    hold,
  });
  return {
    jobs,
    reactors: () => reactors?.health() ?? [],
    retryReactors: () => reactors?.retryParked(),
    // While the clock is not accepted they wait, and whoever starts does not wait for them.
    caughtUp: async (timeoutMs) => hold() !== undefined || ((await reactors?.caughtUp(timeoutMs)) ?? true),
    start: async (given) => {
      application = given;
      turns = createActiveRunner({
        leases,
        name: REACTORS,
        begin: async (lease) => {
          const begun = startReactors({
            eventStore,
            reactions,
            bus: given,
            checkpoints: openCheckpoints(lease),
            sendsMail: options.memory.mail !== undefined,
            onReport: (report) => logger.warn(report, 'reactor'),
            clock,
            hold,
          });
          reactors = begun;
          return async () => {
            reactors = undefined;
            await begun.stop();
          };
        },
        onProblem: (problem) => logger.warn(problem, 'reactors'),
        timers,
      });
      await turns.start();
    },
    startJobs: () => jobs.start(),
    stop: async () => {
      await Promise.all([jobs.stop(), turns?.stop()]);
    },
  };
}
