import { setImmediate } from 'node:timers/promises';
import type { CommandContext, CommandTo, Execution, Executor } from '#commands';
import type { JobContext, JobKind } from '#jobs';
import { isDamagedStream, isEngineError, isLodeError, sha256, uuidV5, type Clock } from '#kernel';
import {
  accountStream,
  formatMoney,
  parseMoney,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type BonusPolicy,
  type Minor,
  type PaymentCurrency,
  type Prices,
} from '#ledger';
import type { Document, ReadStoreReader } from '#read-store';

/** What the tick goes by. */
export type BonusTerms = { readonly bonusPolicy: BonusPolicy; readonly prices: Prices };

export type BonusTickOptions = {
  readonly readStore: Pick<ReadStoreReader, 'list'>;
  readonly accounts: Pick<Executor<AccountCommand, AccountEvent, Account>, 'executeMany'>;
  /** What is in force; asked at the beginning of each run and whenever the schedule is looked at. */
  readonly termsInForce: () => Promise<BonusTerms>;
  readonly clock: Clock;
};

/** The job's name: part of the ids of its commands, and so never renamed. */
export const BONUS_TICK = 'bonus-tick';

/** Accounts that are listed, decided and appended at a time: few, because commands wait for as long. */
const BATCH = 256;
/** Batches under way: while one is being written the next is decided. */
const BATCHES_UNDER_WAY = 2;
/** Failures that the report tells one by one. */
const FAILURES_TOLD = 20;
const ATTEMPTS = 5;
const HOUR_MS = 60 * 60 * 1_000;
const NAMESPACE = '0c1f3f4e-52c1-5d52-9a55-6c5f7b1f5d90';

/** A row of the read model `accounts`, as far as the tick looks at it. */
type DueDocument = Document & { readonly userId: string; readonly bonusNextDay: string };

type Failure = { readonly userId: string; readonly code: string; readonly message: string };

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

/** What a run has come to so far. */
type Tally = {
  due: number;
  accrued: number;
  days: number;
  skipped: number;
  failed: number;
  usd: Minor;
  readonly booked: Map<PaymentCurrency, Minor>;
  readonly failures: Failure[];
};

/**
 * Pays the promotional bonus: asks each account that a read model shows as due to accrue, and the account itself decides
 * what is due. So a run that comes late, twice, or on a read model that lags pays no cent more or less.
 */
export function bonusTick({ readStore, accounts, termsInForce, clock }: BonusTickOptions): BonusTick {
  /** The accounts with so many paid days whose next day is over, a batch at a time. */
  async function* dueAccounts(day: number, now: string): AsyncGenerator<readonly DueDocument[]> {
    let after: readonly string[] | undefined;
    for (;;) {
      const page = await readStore.list<DueDocument>('accounts', {
        index: 'bonus',
        equals: { status: 'active', bonusDay: String(day) },
        direction: 'ascending',
        ...(after === undefined ? {} : { after }),
        limit: BATCH,
      });
      const due = page.filter(({ bonusNextDay }) => bonusNextDay <= now);
      if (due.length > 0) yield due;
      const last = due.at(-1);
      if (last === undefined || due.length < BATCH) return;
      after = [last.bonusNextDay, last.id];
    }
  }

  async function accrue(due: readonly DueDocument[], run: string, terms: BonusTerms, tally: Tally) {
    const command = { type: 'AccrueBonus', policy: terms.bonusPolicy, prices: terms.prices } as const;
    const commands = due.map(({ userId }): CommandTo<AccountCommand> => ({
      stream: accountStream(userId),
      command,
      context: contextOf(run, userId),
    }));
    const answers = await accounts.executeMany(commands);
    answers.forEach((answer, n) => count(tally, due[n]?.userId ?? '', answer));
  }

  async function run({ slot, signal }: JobContext): Promise<BonusReport> {
    const [startedAt, terms] = [new Date(clock()).toISOString(), await termsInForce()];
    const tally = emptyTally();
    const runId = uuidV5(NAMESPACE, slot);
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const begin = (due: readonly DueDocument[]) => {
      const batch = accrue(due, runId, terms, tally)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(batch));
      underWay.add(batch);
    };
    for (let day = 0; day < terms.bonusPolicy.capDays; day++) {
      for await (const due of dueAccounts(day, startedAt)) {
        if (signal.aborted || failures.length > 0) break;
        begin(due);
        while (underWay.size >= BATCHES_UNDER_WAY) await Promise.race(underWay);
        // Commands and answers that wait are let in between two batches.
        await setImmediate();
      }
    }
    await Promise.all(underWay);
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

/** The context of the one command that a run sends to an account, however often the run is tried. */
function contextOf(run: string, userId: string): CommandContext {
  const commandId = uuidV5(run, userId);
  return {
    actor: { kind: 'system', id: BONUS_TICK, role: 'system' },
    commandId,
    requestHash: sha256(commandId),
    correlationId: run,
    causationId: run,
  };
}

function emptyTally(): Tally {
  return { due: 0, accrued: 0, days: 0, skipped: 0, failed: 0, usd: 0n, booked: new Map(), failures: [] };
}

/** Counts an answer. Throws what an engine failed with: then the run is tried again, and who has got it is passed over. */
function count(tally: Tally, userId: string, answer: PromiseSettledResult<Execution<AccountEvent>>): void {
  tally.due += 1;
  if (answer.status === 'rejected') {
    if (isEngineError(answer.reason) && !isDamagedStream(answer.reason)) throw answer.reason;
    tally.failed += 1;
    if (tally.failures.length < FAILURES_TOLD) tally.failures.push(failureOf(userId, answer.reason));
    return;
  }
  const { events, replayed } = answer.value;
  const [event] = events;
  if (event?.type !== 'BonusAccrued' || replayed) {
    tally.skipped += 1;
    return;
  }
  const { amount, converted, currency, days } = event.data;
  tally.accrued += 1;
  tally.days += days;
  tally.usd += parseMoney(amount, 'USD');
  tally.booked.set(currency, (tally.booked.get(currency) ?? 0n) + parseMoney(converted, currency));
}

function failureOf(userId: string, error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { userId, code: isLodeError(error) ? error.code : 'internal', message };
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
