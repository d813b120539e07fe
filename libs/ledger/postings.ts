import { invariant } from '#kernel';
import type { LedgerAccount } from './chart.js';
import { currencies, perCurrency, type Currency } from './currencies.js';
import { parseMoney, type Minor } from './money.js';

/** One line of a double entry; the amount is signed. */
export type Posting = {
  readonly account: LedgerAccount;
  readonly currency: Currency;
  readonly amount: Minor;
};

/** The same as an event stores it: the amount is a decimal text with all the currency's decimals. */
export type StoredPosting = Omit<Posting, 'amount'> & { readonly amount: string };

/** Stored postings with amounts that can be counted with. Refuses with `amount_invalid` what is none. */
export function readPostings(stored: readonly StoredPosting[]): readonly Posting[] {
  return stored.map(({ account, amount, currency }) => ({
    account,
    amount: parseMoney(amount, currency),
    currency,
  }));
}

/** A signed amount per currency, in minor units. */
export type Amounts = Readonly<Record<Currency, Minor>>;

/** Nothing in every currency. */
export const noAmounts: Amounts = perCurrency(() => 0n);

/** The two lines that move `amount` (minor units, not negative) of `currency` from one account to another. */
export function move(
  from: LedgerAccount,
  to: LedgerAccount,
  currency: Currency,
  amount: Minor,
): readonly Posting[] {
  invariant(amount >= 0n, 'a movement is not negative: swap the accounts');
  if (amount === 0n) return [];
  return [
    { account: from, amount: -amount, currency },
    { account: to, amount, currency },
  ];
}

/** The sum of the postings per currency, of one account or, when it is left out, of all. */
export function sumOf(postings: readonly Posting[], account?: LedgerAccount): Amounts {
  const sums = { ...noAmounts };
  for (const posting of postings) {
    if (account !== undefined && posting.account !== account) continue;
    sums[posting.currency] += posting.amount;
  }
  return sums;
}

/** What the postings come to on a customer's two accounts, and on all accounts together. */
export function changeOf(postings: readonly Posting[], available: LedgerAccount, held: LedgerAccount) {
  const change = { available: { ...noAmounts }, held: { ...noAmounts }, all: { ...noAmounts } };
  for (const { account, currency, amount } of postings) {
    change.all[currency] += amount;
    if (account === available) change.available[currency] += amount;
    else if (account === held) change.held[currency] += amount;
  }
  return change;
}

/** True when the postings add up to zero in each currency. */
export function isBalanced(postings: readonly Posting[]): boolean {
  return isNothing(sumOf(postings));
}

/** True for nothing in every currency. */
export function isNothing(amounts: Amounts): boolean {
  return currencies.every((currency) => amounts[currency] === 0n);
}

/** `a` and `b` added, currency by currency. */
export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return perCurrency((currency) => a[currency] + b[currency]);
}
