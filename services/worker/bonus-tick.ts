import {
  addTally,
  BONUS_TICK,
  emptyTally,
  ListAccountsDue,
  ListAccountsDueHandler,
  tickRunId,
  type BonusSettings,
  type Failure,
  type Tally,
} from '#application';
import type { JobContext, JobKind } from '#jobs';
import { hasCode, systemTimers, type Clock, type Timers } from '#kernel';
import { formatMoney, type BonusPolicy } from '#ledger';
import type { ReadStoreReader } from '#read-store';
import type { BonusWorkers } from './bonus-workers.js';

export type BonusTickOptions = {
  readonly readStore: Pick<ReadStoreReader, 'keys'>;
  /** Resolves once it can be read: a run that is due while it is being built waits for that. */
  readonly readable?: (signal: AbortSignal) => Promise<unknown>;
  /** Those who pay the accounts that are due; asked for at the beginning of each run. */
  readonly workers: () => BonusWorkers;
  /** What is in force; asked at the beginning of each run and whenever the schedule is looked at. */
  readonly settingsInForce: () => Promise<BonusSettings>;
  readonly clock: Clock;
  readonly timers?: Timers;
};

/** Accounts that are listed, decided and appended at a time: few, because commands wait for as long. */
const BATCH = 256;
const ATTEMPTS = 5;
const HOUR_MS = 60 * 60 * 1_000;

/** What a run has come to: amounts as decimal texts, and the first of the failures one by one. */
export type BonusReport = {
  /** Accounts that the read model showed as due, and what became of them. */
  readonly due: number;
  readonly accrued: number;
  readonly skipped: number;
  readonly failed: number;
  /** Bonus days that were paid, over all accounts. */
  readonly days: number;
  /** US dollars, and what was booked in the bonus currency. */
  readonly amounts: Readonly<Record<string, string>>;
  readonly failures: readonly Failure[];
  readonly policy: BonusPolicy;
  readonly startedAt: string;
  readonly endedAt: string;
};

/** The tick as a job, with its report in its own type. */
export type BonusTick = Omit<JobKind, 'run'> & {
  readonly run: (context: JobContext) => Promise<BonusReport>;
};

/**
 * Pays the promotional bonus: asks each account that a read model shows as due to accrue, and the account itself decides
 * what is due. So a run that comes late, twice, or on a read model that lags pays no cent more or less.
 */
export function bonusTick(options: BonusTickOptions): BonusTick {
  const { readStore, readable, workers, settingsInForce, clock, timers = systemTimers } = options;
  const accountsDue = new ListAccountsDueHandler(readStore);
  /** Who has so many paid days and whose next day is over, a batch at a time. */
  async function* dueAccounts(day: number, at: string): AsyncGenerator<readonly string[]> {
    let after: readonly string[] | undefined;
    do {
      const page = await accountsDue.execute(new ListAccountsDue({ day, at, after, limit: BATCH }));
      if (page.userIds.length > 0) yield page.userIds;
      after = page.next;
    } while (after !== undefined);
  }

  async function run({ slot, signal }: JobContext): Promise<BonusReport> {
    await readable?.(signal);
    const startedAt = new Date(clock()).toISOString();
    const { bonusPolicy, prices, revision } = await settingsInForce();
    const settings: BonusSettings = { bonusPolicy, prices, revision };
    const tally = emptyTally();
    const runId = tickRunId(slot);
    const { pay, concurrency, close } = workers();
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const begin = (userIds: readonly string[]) => {
      const batch = pay({ run: runId, settings, userIds })
        .then((paid) => addTally(tally, paid))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(batch));
      underWay.add(batch);
    };
    try {
      for (let day = 0; day < bonusPolicy.capDays; day++) {
        for await (const due of dueAccounts(day, startedAt)) {
          if (signal.aborted || failures.length > 0) break;
          begin(due);
          while (underWay.size >= concurrency) await Promise.race(underWay);
          // Commands and answers that wait are let in between two batches.
          await timers.yieldNow();
        }
      }
    } finally {
      await Promise.all(underWay);
      await close();
    }
    if (failures.length > 0) throw failures.find((one) => hasCode(one, 'unknown_outcome')) ?? failures[0];
    signal.throwIfAborted();
    return reportOf(tally, bonusPolicy, startedAt, new Date(clock()).toISOString());
  }

  return {
    name: BONUS_TICK,
    everyMs: async () => (await settingsInForce()).bonusPolicy.everyHours * HOUR_MS,
    attempts: ATTEMPTS,
    run,
  };
}

function reportOf(tally: Tally, policy: BonusPolicy, startedAt: string, endedAt: string): BonusReport {
  const { due, accrued, days, skipped, failed, usd, booked, failures } = tally;
  const amounts: Record<string, string> = { USD: formatMoney(usd, 'USD') };
  for (const [currency, amount] of booked) amounts[currency] = formatMoney(amount, currency);
  return {
    due,
    accrued,
    days,
    skipped,
    failed,
    amounts,
    failures,
    policy,
    startedAt,
    endedAt,
  };
}
