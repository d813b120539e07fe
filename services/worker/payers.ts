import type { CommandContext, CommandTo, Execution, Executor } from '#commands';
import { isOutage, sha256, serializeError, uuidV5, type SerializedError } from '#kernel';
import {
  accountStream,
  parseMoney,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type BonusPolicy,
  type Minor,
  type PaymentCurrency,
  type Prices,
} from '#ledger';

/** The job's name: part of the ids of its commands, and so never renamed. */
export const BONUS_TICK = 'bonus-tick';

/** Failures that the report tells one by one. */
const FAILURES_TOLD = 20;
/** Batches under way in one thread: while one is being written the next is decided. */
export const BATCHES_UNDER_WAY = 2;

/** What the tick goes by. */
export type BonusTerms = { readonly bonusPolicy: BonusPolicy; readonly prices: Prices };

/** Accounts that may be due; each is asked to accrue, and decides itself. Plain data, so that it can cross a thread. */
export type PayBatch = {
  /** The id of the run: with the account's it gives the id of the command. */
  readonly run: string;
  readonly terms: BonusTerms;
  readonly userIds: readonly string[];
};

/** Those who carry out a run's batches. */
export type Payers = {
  /** Throws what an engine failed with: then the run is tried again, and who has got it is passed over. */
  readonly pay: (batch: PayBatch) => Promise<Tally>;
  /** Batches that they have under way at once. */
  readonly atOnce: number;
  /** Ends them when the run does; nothing is under way then. */
  readonly close: () => Promise<void>;
};

export type Failure = { readonly userId: string } & SerializedError;

/** What a run or a batch of it has come to so far. Plain data. */
export type Tally = {
  due: number;
  accrued: number;
  days: number;
  skipped: number;
  failed: number;
  usd: Minor;
  readonly booked: Map<PaymentCurrency, Minor>;
  readonly failures: Failure[];
};

/** Payers on this thread. */
export function payersOn(
  accounts: Pick<Executor<AccountCommand, AccountEvent, Account>, 'executeMany'>,
): Payers {
  return {
    async pay({ run, terms, userIds }) {
      const command = { type: 'AccrueBonus', policy: terms.bonusPolicy, prices: terms.prices } as const;
      const commands = userIds.map((userId): CommandTo<AccountCommand> => ({
        stream: accountStream(userId),
        command,
        context: contextOf(run, userId),
      }));
      const tally = emptyTally();
      const answers = await accounts.executeMany(commands);
      answers.forEach((answer, n) => count(tally, userIds[n] ?? '', answer));
      return tally;
    },
    atOnce: BATCHES_UNDER_WAY,
    close: async () => {},
  };
}

export function emptyTally(): Tally {
  return { due: 0, accrued: 0, days: 0, skipped: 0, failed: 0, usd: 0n, booked: new Map(), failures: [] };
}

/** Adds what a batch has come to. */
export function add(tally: Tally, batch: Tally): void {
  tally.due += batch.due;
  tally.accrued += batch.accrued;
  tally.days += batch.days;
  tally.skipped += batch.skipped;
  tally.failed += batch.failed;
  tally.usd += batch.usd;
  for (const [currency, amount] of batch.booked) book(tally, currency, amount);
  tally.failures.push(...batch.failures.slice(0, FAILURES_TOLD - tally.failures.length));
}

function book({ booked }: Tally, currency: PaymentCurrency, amount: Minor): void {
  booked.set(currency, (booked.get(currency) ?? 0n) + amount);
}

/** The context of the one command that a run sends to an account, however often the run is tried. */
function contextOf(run: string, userId: string): CommandContext {
  const commandId = uuidV5(run, userId);
  return {
    actor: { id: BONUS_TICK, kind: 'system', role: 'system' },
    commandId,
    requestHash: sha256(commandId),
    correlationId: run,
    causationId: run,
  };
}

/** Counts an answer; throws what an engine failed with. */
function count(tally: Tally, userId: string, answer: PromiseSettledResult<Execution<AccountEvent>>): void {
  tally.due += 1;
  if (answer.status === 'rejected') {
    if (isOutage(answer.reason)) throw answer.reason;
    tally.failed += 1;
    if (tally.failures.length < FAILURES_TOLD)
      tally.failures.push({ userId, ...serializeError(answer.reason) });
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
  book(tally, currency, parseMoney(converted, currency));
}
