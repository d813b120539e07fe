import type { Logger } from 'pino';
import type { EventStore } from '#event-store';
import type { Identity } from '#identity';
import { createInProcessJobs } from '#jobs/in-process';
import type { Clock } from '#kernel';
import type { ReadStoreReader } from '#read-store';
import { reconcileAccess, settingsInForce, type Ledger, type Processes, type Trail } from '../api/index.js';
import { startReactors } from '../projector/index.js';
import { bonusTick } from '../worker/index.js';
import { openProcessesFile } from './processes-file.js';

export type ProcessesOptions = {
  /** The file of what they remember. */
  readonly file: string;
  readonly eventStore: EventStore;
  readonly readStore: ReadStoreReader;
  readonly identity: Identity;
  readonly ledger: Ledger;
  readonly trail: Trail;
  readonly logger: Logger;
  readonly clock: Clock;
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
  const { eventStore, readStore, identity, ledger, trail, logger, clock } = options;
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
    kinds: [bonusTick({ readStore, accounts, termsInForce, clock })],
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
