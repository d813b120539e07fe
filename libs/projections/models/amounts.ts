import { formatMoney, type Currency, type Minor } from '#ledger';

/** A balance as documents have it: decimal strings with all the currency's decimals, `balance` = available + held. */
export type StoredBalance = { readonly available: string; readonly balance: string; readonly held: string };

/** Nothing in a currency. */
export function noBalance(currency: Currency): StoredBalance {
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

/** A balance after what was available of it has changed by an amount. Most have nothing held, and then the sum is no work. */
export function withAvailable(stored: StoredBalance, amount: Minor, currency: Currency): StoredBalance {
  const { held } = stored;
  const available = plus(stored.available, amount, currency);
  const isAll = stored.available === stored.balance;
  return { available, balance: isAll ? available : plus(available, minorOf(held), currency), held };
}

/** A balance after what is held of it has changed by an amount. */
export function withHeld(
  { available, held: before }: StoredBalance,
  amount: Minor,
  currency: Currency,
): StoredBalance {
  const held = plus(before, amount, currency);
  return { available, balance: plus(available, minorOf(held), currency), held };
}
