import {
  AccrueBonusesHandler,
  AccrueBonuses,
  type Aggregates,
  type BonusBatch,
  type Tally,
} from '#application';

/** Batches under way in one thread: while one is being written the next is decided. */
export const BATCHES_UNDER_WAY = 2;

/** Those who carry out a run's batches. */
export type BonusWorkers = {
  /** Throws what an engine failed with: then the run is tried again, and who has got it is passed over. */
  readonly pay: (batch: BonusBatch) => Promise<Tally>;
  /** Batches that they have under way at once. */
  readonly concurrency: number;
  /** Ends them when the run does; nothing is under way then. */
  readonly close: () => Promise<void>;
};

/** Bonus workers on this thread, which has no bus: they have the handler that is behind it elsewhere. */
export function localBonusWorkers(accounts: Pick<Aggregates['accounts'], 'executeMany'>): BonusWorkers {
  const handler = new AccrueBonusesHandler(accounts);
  return {
    pay: (batch) => handler.execute(new AccrueBonuses(batch)),
    concurrency: BATCHES_UNDER_WAY,
    close: async () => {},
  };
}
