import { LodeError } from '#kernel';
import { availableOf, heldOf, type LedgerAccount } from '../chart.js';
import type { Currency, PaymentCurrency } from '../currencies.js';
import { convertFromUsd, convertToUsd, fits, INVALID_AMOUNT, type Minor } from '../money.js';
import { move, type Amounts, type Posting } from '../postings.js';
import type { BalancesAfter, Conversion, Hold, Movement } from './events.js';
import type { AccountRequest, OpenAccount } from './state.js';

/** US dollars for one unit of each payment currency, in units of 10^-PRICE_SCALE. */
export type Prices = Readonly<Record<PaymentCurrency, Minor>>;

/** Whose money moves, and what of it there is. */
export type Purse = Pick<OpenAccount, 'userId' | 'available' | 'held'>;

/** What `amount` cents are worth in a currency at the prices in force, rounded down. Refuses with `amount_invalid`. */
export function conversionOf(amount: Minor, currency: PaymentCurrency, prices: Prices): Conversion {
  if (!fits(amount)) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  const price = prices[currency];
  return { currency, amount, price, converted: convertFromUsd(amount, currency, price) };
}

/**
 * What can be paid in a currency at its price, in cents: the smaller of the dollars and of what the balance is worth.
 * Nothing when that is not even the least amount of the currency.
 */
export function payable(available: Amounts, currency: PaymentCurrency, price: Minor): Minor {
  const balance = convertToUsd(available[currency], currency, price);
  const least = available.USD < balance ? available.USD : balance;
  return convertFromUsd(least, currency, price) === 0n ? 0n : least;
}

/** Refuses what a customer asks to be paid and can't, or what would set nothing of the currency aside. */
export function checkPayable(
  { available }: OpenAccount,
  { currency, amount, price, converted }: Conversion,
): void {
  if (amount > payable(available, currency, price)) throw insufficient(currency);
  if (converted === 0n) throw new LodeError('amount_invalid', INVALID_AMOUNT);
}

/** The refusal of more than there is in a currency (specification, section 5). */
export function insufficient(currency: PaymentCurrency): LodeError {
  return new LodeError('insufficient_balance', `Insufficient ${currency} wallet balance!`);
}

/** What a request has set aside: as much as it was worth when it was made. */
export function conversionOfRequest(request: Exclude<AccountRequest, { kind: 'funding' }>): Conversion {
  const { currency, amount, price, converted } = request;
  return { currency, amount, price, converted };
}

/** The postings of a conversion from one account of the ledger to another. */
export function postingsFor(
  from: LedgerAccount,
  to: LedgerAccount,
  { currency, amount, converted }: Conversion,
) {
  return [...move(from, to, 'USD', amount), ...move(from, to, currency, converted)];
}

/** A conversion that is set aside, or given back when `release` says so. */
export function held(state: OpenAccount, conversion: Conversion, direction: 'hold' | 'release'): Hold {
  const [available, aside] = [availableOf(state.userId), heldOf(state.userId)];
  const [from, to] = direction === 'hold' ? [available, aside] : [aside, available];
  return eventData(conversion, postingsFor(from, to, conversion));
}

/**
 * The one shape of every movement: a conversion from one account of the ledger to another, one of which is the customer's,
 * and what the customer has after it. Refuses with `amount_invalid` when that is more than can be held.
 */
export function movement(
  state: Purse,
  from: LedgerAccount,
  to: LedgerAccount,
  conversion: Conversion,
): Movement {
  const postings = postingsFor(from, to, conversion);
  return { after: balancesAfter(state, conversion.currency, postings), ...eventData(conversion, postings) };
}

function eventData({ amount, converted, currency, price }: Conversion, postings: readonly Posting[]): Hold {
  return { amount, converted, currency, postings, price };
}

function balancesAfter(state: Purse, currency: PaymentCurrency, postings: readonly Posting[]): BalancesAfter {
  const own: readonly LedgerAccount[] = [availableOf(state.userId), heldOf(state.userId)];
  const after = { wallet: totalOf(state, 'USD'), balance: totalOf(state, currency) };
  for (const { account, amount, currency: booked } of postings) {
    if (!own.includes(account)) continue;
    if (booked === 'USD') after.wallet += amount;
    else after.balance += amount;
  }
  if (!fits(after.wallet) || !fits(after.balance)) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  return after;
}

function totalOf({ available, held: aside }: Purse, currency: Currency): Minor {
  return available[currency] + aside[currency];
}
