import type { Logger } from 'pino';
import { createInProcessJobs } from '#jobs/in-process';
import {
  reconcileAccess,
  settingsInForce,
  type Engines,
  type Ledger,
  type Processes,
  type Trail,
} from '../api/index.js';
import { startReactors } from '../projector/index.js';
import { bonusTick } from '../worker/index.js';
import { openProcessesFile } from './processes-file.js';
import { fileSweep } from './sweep.js';

export type ProcessesOptions = {
  /** The file of what they remember. */
  readonly file: string;
  readonly engines: Omit<Engines, 'processes' | 'random'>;
  readonly ledger: Ledger;
  readonly trail: Trail;
  readonly logger: Logger;
  readonly say: (step: string) => void;
};

/** What the program does by itself. */
export type RunningProcesses = Processes & {
  /** Begins to run jobs; reactors run from the start. */
  readonly startJobs: () => void;
  readonly stop: () => Promise<void>;
};

/** Starts the reactors, and makes the jobs ready. */
export function startProcesses(options: ProcessesOptions): RunningProcesses {
  const { engines, ledger, trail, logger } = options;
  const { eventStore, readStore, identity, clock } = engines;
  const { accounts } = ledger;
  const database = openProcessesFile(options.file, options.say);
  const termsInForce = () => settingsInForce(ledger);
  const reactors = startReactors({
    eventStore,
    accounts,
    bonusPolicy: async () => (await termsInForce()).bonusPolicy,
    reconcileAccess: (userId) => reconcileAccess({ identity, ledger, trail }, userId),
    database,
    onReport: (report) => logger.warn(report, 'reactor'),
    clock,
  });
  const jobs = createInProcessJobs({
    database,
    kinds: [bonusTick({ readStore, accounts, termsInForce, clock }), fileSweep({ ...engines, ledger })],
    onProblem: (problem) => logger.error(problem, 'job'),
    clock,
  });
  return {
    jobs,
    reactors: reactors.health,
    retryReactors: reactors.retryParked,
    startJobs: () => jobs.start(),
    stop: async () => {
      await Promise.all([jobs.stop(), reactors.stop()]);
      database.close();
    },
  };
}
