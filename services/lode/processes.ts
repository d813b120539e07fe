import type { Logger } from 'pino';
import type { Engines as Stores } from '#engines';
import type { Bus } from '#application';
import { settingsInForce, type Engines, type Ledger, type Processes } from '../api/index.js';
import { startReactors, type Reactions } from '../projector/index.js';
import { bonusTick, type BonusTickOptions } from '../worker/index.js';
import { fileSweep } from './sweep.js';

export type ProcessesOptions = {
  /** Where they remember what they did. */
  readonly memory: Pick<Stores, 'checkpoints' | 'createJobs'>;
  readonly engines: Omit<Engines, 'processes' | 'random'>;
  readonly ledger: Ledger;
  /** The way to the application. */
  readonly bus: Pick<Bus, 'execute'>;
  /** Where the log is read for reactors. */
  readonly reactions: Reactions;
  /** Those who pay the bonus. */
  readonly payers: BonusTickOptions['payers'];
  readonly logger: Logger;
};

/** What the program does by itself. */
export type RunningProcesses = Processes & {
  /** Begins to run jobs; reactors run from the start. */
  readonly startJobs: () => void;
  /** Resolves true once reactors have done what a death left undone, false after `timeoutMs`. */
  readonly caughtUp: (timeoutMs: number) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

/** Starts the reactors, and makes the jobs ready. */
export function startProcesses(options: ProcessesOptions): RunningProcesses {
  const { engines, ledger, bus, reactions, payers, logger } = options;
  const { checkpoints, createJobs } = options.memory;
  const { eventStore, readStore, clock } = engines;
  const termsInForce = () => settingsInForce(ledger);
  const reactors = startReactors({
    eventStore,
    reactions,
    bus,
    checkpoints,
    onReport: (report) => logger.warn(report, 'reactor'),
    clock,
  });
  const jobs = createJobs({
    kinds: [bonusTick({ readStore, payers, termsInForce, clock }), fileSweep({ ...engines, ledger })],
    onProblem: (problem) => logger.error(problem, 'job'),
    clock,
  });
  return {
    jobs,
    reactors: reactors.health,
    retryReactors: reactors.retryParked,
    caughtUp: reactors.caughtUp,
    startJobs: () => jobs.start(),
    stop: async () => {
      await Promise.all([jobs.stop(), reactors.stop()]);
    },
  };
}
