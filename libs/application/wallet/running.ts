import type { AccountView } from '#contracts';
import type { StreamEvent } from '#kernel';
import {
  availableOf,
  changeOf,
  formatMoney,
  heldOf,
  parseMoney,
  readPostings,
  type Currency,
  type Minor,
} from '#ledger';
import { postingsIn } from '#projections';
import type { AccountAt } from './history.js';

/** Balance and hold of one currency, or what an event did to them, in minor units. */
export type RunningBalance = { readonly total: Minor; readonly held: Minor };

/** What an event did to the account's own two balances of a currency; nothing when it has no postings. */
export function changeIn(event: StreamEvent, userId: string, currency: Currency): RunningBalance {
  const { available, held } = changeOf(readPostings(postingsIn(event)), availableOf(userId), heldOf(userId));
  return { total: available[currency] + held[currency], held: held[currency] };
}

export function isChange({ total, held }: RunningBalance): boolean {
  return total !== 0n || held !== 0n;
}

/** What the account had in a currency right after one of its events; nothing before it was opened. */
export function runningBalanceAt(found: AccountAt | undefined, currency: Currency): RunningBalance {
  if (found === undefined) return { total: 0n, held: 0n };
  const { balances, wallet } = found.account;
  const { balance, held } = currency === 'USD' ? wallet : balances[currency];
  return { total: parseMoney(balance, currency), held: parseMoney(held, currency) };
}

/** A running balance as answers have it. */
export function balanceOf({ total, held }: RunningBalance, currency: Currency): AccountView['wallet'] {
  return {
    balance: formatMoney(total, currency),
    available: formatMoney(total - held, currency),
    held: formatMoney(held, currency),
  };
}
