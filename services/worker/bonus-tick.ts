import { setImmediate } from 'node:timers/promises';
import { addTally, BONUS_TICK, emptyTally, type BonusTerms, type Failure, type Tally } from '#application';
import type { JobContext, JobKind } from '#jobs';
import { uuidV5, type Clock } from '#kernel';
import { formatMoney, type BonusPolicy } from '#ledger';
import type { ReadStoreReader } from '#read-store';
import type { Payers } from './payers.js';

export type BonusTickOptions = {
  readonly readStore: Pick<ReadStoreReader, 'keys'>;
  /** Those who pay the accounts that are due; asked for at the beginning of each run. */
  readonly payers: () => Payers;
  /** What is in force; asked at the beginning of each run and whenever the schedule is looked at. */
  readonly termsInForce: () => Promise<BonusTerms>;
  readonly clock: Clock;
};

/** Accounts that are listed, decided and appended at a time: few, because commands wait for as long. */
const BATCH = 256;
const ATTEMPTS = 5;
const HOUR_MS = 60 * 60 * 1_000;
const NAMESPACE = '0c1f3f4e-52c1-5d52-9a55-6c5f7b1f5d90';

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
export function bonusTick({ readStore, payers, termsInForce, clock }: BonusTickOptions): BonusTick {
  /** Who has so many paid days and whose next day is over, a batch at a time. */
  async function* dueAccounts(day: number, now: string): AsyncGenerator<readonly string[]> {
    let after: readonly string[] | undefined;
    for (;;) {
      const page = await readStore.keys('accounts', {
        index: 'bonus',
        equals: { status: 'active', bonusDay: String(day) },
        direction: 'ascending',
        ...(after === undefined ? {} : { after }),
        limit: BATCH,
      });
      // A key is when the next day is over, and whose it is.
      const due = page.filter(([nextDay = '']) => nextDay <= now);
      if (due.length > 0) yield due.map(([, userId = '']) => userId);
      after = due.at(-1);
      if (after === undefined || due.length < BATCH) return;
    }
  }

  async function run({ slot, signal }: JobContext): Promise<BonusReport> {
    const [startedAt, terms] = [new Date(clock()).toISOString(), await termsInForce()];
    const tally = emptyTally();
    const runId = uuidV5(NAMESPACE, slot);
    const { pay, atOnce, close } = payers();
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const begin = (userIds: readonly string[]) => {
      const batch = pay({ run: runId, terms, userIds })
        .then((paid) => addTally(tally, paid))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(batch));
      underWay.add(batch);
    };
    try {
      for (let day = 0; day < terms.bonusPolicy.capDays; day++) {
        for await (const due of dueAccounts(day, startedAt)) {
          if (signal.aborted || failures.length > 0) break;
          begin(due);
          while (underWay.size >= atOnce) await Promise.race(underWay);
          // Commands and answers that wait are let in between two batches.
          await setImmediate();
        }
      }
    } finally {
      await Promise.all(underWay);
      await close();
    }
    if (failures.length > 0) throw failures[0];
    signal.throwIfAborted();
    return reportOf(tally, terms.bonusPolicy, startedAt, new Date(clock()).toISOString());
  }

  return {
    name: BONUS_TICK,
    everyMs: async () => (await termsInForce()).bonusPolicy.everyHours * HOUR_MS,
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
