import { LodeError } from '#kernel';
import { availableOf, heldOf, type LedgerAccount } from '../chart.js';
import type { PaymentCurrency } from '../currencies.js';
import {
  convertFromUsd,
  convertToUsd,
  fits,
  formatDecimal,
  formatMoney,
  INVALID_AMOUNT,
  parseDecimal,
  PRICE_SCALE,
  type Minor,
} from '../money.js';
import { addAmounts, changeOf, move, type Posting } from '../postings.js';
import type { AccountRequest, OpenAccount } from './state.js';

/** US dollars for one unit of each payment currency, in units of 10^-PRICE_SCALE. */
export type Prices = Readonly<Record<PaymentCurrency, Minor>>;

/** US dollars (cents, not negative) and what they are in `currency` at `price`; all in minor units. */
export type Worth = {
  readonly currency: PaymentCurrency;
  readonly amount: Minor;
  readonly price: Minor;
  readonly converted: Minor;
};

/** What `amount` cents are worth in a currency at the prices in force, rounded down. Refuses with `amount_invalid`. */
export function worthOf(amount: Minor, currency: PaymentCurrency, prices: Prices): Worth {
  if (!fits(amount)) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  const price = prices[currency];
  return { currency, amount, price, converted: convertFromUsd(amount, currency, price) };
}

/** What can be paid in a currency at its price, in cents: the smaller of the dollars and of what the balance pays for. */
export function payable(
  available: { readonly USD: Minor } & Readonly<Record<PaymentCurrency, Minor>>,
  currency: PaymentCurrency,
  price: Minor,
): Minor {
  const balance = convertToUsd(available[currency], currency, price);
  return available.USD < balance ? available.USD : balance;
}

/** What a request has set aside: as much as it was worth when it was made. */
export function worthOfRequest(request: Exclude<AccountRequest, { kind: 'funding' }>): Worth {
  const { currency, amount, price, converted } = request;
  return { currency, amount, price: parseDecimal(price, PRICE_SCALE), converted };
}

// Members stand in the order of canonical JSON, here and in the events that are most frequent: such are written sooner.

/** The worth as an event stores it. */
export function textOf({ currency, amount, price, converted }: Worth) {
  return {
    amount: formatMoney(amount, 'USD'),
    converted: formatMoney(converted, currency),
    currency,
    price: formatDecimal(price, PRICE_SCALE),
  };
}

/** Both sides of a worth from one account of the ledger to another. */
export function moved(from: LedgerAccount, to: LedgerAccount, { currency, amount, converted }: Worth) {
  return [...move(from, to, 'USD', amount), ...move(from, to, currency, converted)];
}

/** A worth that is set aside, or given back when `release` says so. */
export function held(state: OpenAccount, worth: Worth, direction: 'hold' | 'release') {
  const [available, aside] = [availableOf(state.userId), heldOf(state.userId)];
  const [from, to] = direction === 'hold' ? [available, aside] : [aside, available];
  return told(worth, moved(from, to, worth));
}

/**
 * The one shape of every movement: a worth from one account of the ledger to another, one of which is the customer's,
 * and what the customer has after it. Refuses with `amount_invalid` when that is more than can be held.
 */
export function movement(state: OpenAccount, from: LedgerAccount, to: LedgerAccount, worth: Worth) {
  const postings = moved(from, to, worth);
  return { after: balancesAfter(state, worth.currency, postings), ...told(worth, postings) };
}

function told(worth: Worth, postings: readonly Posting[]) {
  const { price, ...amounts } = textOf(worth);
  return { ...amounts, postings, price };
}

function balancesAfter(state: OpenAccount, currency: PaymentCurrency, postings: readonly Posting[]) {
  const { userId } = state;
  const change = changeOf(postings, availableOf(userId), heldOf(userId));
  const after = [state.held, change.available, change.held].reduce(addAmounts, state.available);
  if (!fits(after.USD) || !fits(after[currency])) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  return { balance: formatMoney(after[currency], currency), wallet: formatMoney(after.USD, 'USD') };
}
