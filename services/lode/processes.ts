import type { Logger } from 'pino';
import type { Engines as Stores } from '#engines';
import {
  deleteFilesOf,
  reconcileAccess,
  settingsInForce,
  type Engines,
  type Ledger,
  type Processes,
  type Trail,
} from '../api/index.js';
import { startReactors, type Reactions } from '../projector/index.js';
import { bonusTick, type BonusTickOptions } from '../worker/index.js';
import { fileSweep } from './sweep.js';

export type ProcessesOptions = {
  /** Where they remember what they did. */
  readonly memory: Pick<Stores, 'checkpoints' | 'createJobs'>;
  readonly engines: Omit<Engines, 'processes' | 'random'>;
  readonly ledger: Ledger;
  readonly trail: Trail;
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
  const { engines, ledger, trail, reactions, payers, logger } = options;
  const { checkpoints, createJobs } = options.memory;
  const { eventStore, readStore, identity, files, clock } = engines;
  const { accounts } = ledger;
  const termsInForce = () => settingsInForce(ledger);
  const reactors = startReactors({
    eventStore,
    reactions,
    accounts,
    bonusPolicy: async () => (await termsInForce()).bonusPolicy,
    reconcileAccess: (userId, because) => reconcileAccess({ identity, ledger, trail }, userId, because),
    deleteFilesOf: async (userId) => {
      await deleteFilesOf({ eventStore, files }, userId);
    },
    destroyKey: identity.personKeys.destroyKey,
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
