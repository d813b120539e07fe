import type { Execution } from '#commands';
import { isOutage, serializeError, type SerializedError } from '#kernel';
import { type AccountEvent, type Minor, type PaymentCurrency } from '#ledger';

/** Failures that a tally tells one by one. */
const FAILURES_LISTED_MAX = 20;

/** An account that could not be paid, and why. */
export type Failure = { readonly userId: string } & SerializedError;

/** What a run of the bonus, or a batch of it, has come to so far. Plain data. */
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

/** The tally of nothing. */
export function emptyTally(): Tally {
  return { due: 0, accrued: 0, days: 0, skipped: 0, failed: 0, usd: 0n, booked: new Map(), failures: [] };
}

/** Adds what a batch has come to. */
export function addTally(tally: Tally, batch: Tally): void {
  tally.due += batch.due;
  tally.accrued += batch.accrued;
  tally.days += batch.days;
  tally.skipped += batch.skipped;
  tally.failed += batch.failed;
  tally.usd += batch.usd;
  for (const [currency, amount] of batch.booked) book(tally, currency, amount);
  tally.failures.push(...batch.failures.slice(0, FAILURES_LISTED_MAX - tally.failures.length));
}

function book({ booked }: Tally, currency: PaymentCurrency, amount: Minor): void {
  booked.set(currency, (booked.get(currency) ?? 0n) + amount);
}

/** Counts what an account answered; throws what an engine failed with. */
export function countAnswer(
  tally: Tally,
  userId: string,
  answer: PromiseSettledResult<Execution<AccountEvent>>,
): void {
  tally.due += 1;
  if (answer.status === 'rejected') {
    if (isOutage(answer.reason)) throw answer.reason;
    tally.failed += 1;
    if (tally.failures.length < FAILURES_LISTED_MAX)
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
  tally.usd += amount;
  book(tally, currency, converted);
}
