import { formatMoney, type Currency, type LedgerAccount, type Minor, type Posting } from '#ledger';

/** A balance as documents have it: decimal strings with all the currency's decimals, `balance` = available + held. */
export type Parts = { readonly available: string; readonly balance: string; readonly held: string };

/** Nothing in a currency. */
export function noParts(currency: Currency): Parts {
  const zero = formatMoney(0n, currency);
  return { available: zero, balance: zero, held: zero };
}

/**
 * A sum with an event's amount added to it. Unlike one account's balance, a sum over all people may be more than
 * `MAX_MINOR`, and so it is read as it was written here: with all the currency's decimals.
 */
export function plus(sum: string, amount: Minor, currency: Currency): string {
  return formatMoney(minorOf(sum) + amount, currency);
}

function minorOf(sum: string): Minor {
  return BigInt(sum.replace('.', ''));
}

/** The balance after an event's postings to the two accounts that it is made of. */
export function book(
  parts: Parts,
  postings: readonly Posting[],
  available: LedgerAccount,
  held: LedgerAccount,
  currency: Currency,
): Parts {
  let after = parts;
  for (const { account, currency: booked, amount } of postings) {
    if (booked !== currency) continue;
    if (account === available)
      after = withAvailable(after, plus(after.available, amount, currency), currency);
    else if (account === held) after = withHeld(after, plus(after.held, amount, currency), currency);
  }
  return after;
}

/** Most balances have nothing held, and then the sum is no work. */
function withAvailable({ available, balance, held }: Parts, changed: string, currency: Currency): Parts {
  const isAll = available === balance;
  return { available: changed, balance: isAll ? changed : plus(changed, minorOf(held), currency), held };
}

function withHeld({ available }: Parts, changed: string, currency: Currency): Parts {
  return { available, balance: plus(available, minorOf(changed), currency), held: changed };
}
