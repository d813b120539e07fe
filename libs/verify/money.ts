import type { RecordedEvent } from '#kernel';
import {
  addAmounts,
  availableOf,
  currencies,
  heldOf,
  isBalanced,
  noAmounts,
  parseMoney,
  readPostings,
  sumOf,
  type Amounts,
  type Balances,
  type Posting,
  type StoredPosting,
} from '#ledger';
import { faultOf, type Fault } from './faults.js';

/** A stream's money, counted from its postings alone. */
export type Purse = Balances & {
  /** What each open request has set aside. */
  readonly holds: ReadonlyMap<string, Amounts>;
};

/** Before a stream's first posting. */
export const emptyPurse: Purse = { available: noAmounts, held: noAmounts, holds: new Map() };

const OPERATOR = new Set<string>([
  'operator/deposits',
  'operator/payouts',
  'operator/bonus',
  'operator/adjustments',
  'transit',
]);

/** The postings of an event, or why they are none; no event type is asked, only the shape. */
export function checkPostings(event: RecordedEvent, owner: string): readonly Posting[] | Fault {
  const found: unknown = event.data['postings'];
  if (found === undefined) return [];
  if (!Array.isArray(found)) return faultOf(event, 'postings', 'its postings are no list');
  const stored = found as readonly StoredPosting[];
  for (const { account, currency, amount } of stored) {
    if (!OPERATOR.has(account) && account !== availableOf(owner) && account !== heldOf(owner)) {
      return faultOf(event, 'postings', `it books to ${account}, which is not this stream's to book to`);
    }
    if (!currencies.includes(currency) || !isAmount(amount, currency)) {
      return faultOf(event, 'postings', `${amount} ${currency} is no amount`);
    }
  }
  const postings = readPostings(stored);
  if (!isBalanced(postings)) return faultOf(event, 'postings', 'its postings do not add up to zero');
  return postings;
}

function isAmount(amount: unknown, currency: Posting['currency']): boolean {
  try {
    return typeof amount === 'string' && typeof parseMoney(amount, currency) === 'bigint';
  } catch {
    return false;
  }
}

/** The purse after an event's postings, or what is wrong with them. */
export function book(
  purse: Purse,
  event: RecordedEvent,
  owner: string,
  postings: readonly Posting[],
): Purse | Fault {
  const change = sumOf(postings, heldOf(owner));
  const available = addAmounts(purse.available, sumOf(postings, availableOf(owner)));
  const held = addAmounts(purse.held, change);
  for (const currency of currencies) {
    if (available[currency] < 0n || held[currency] < 0n) {
      return faultOf(event, 'balance', `the ${currency} balance goes below zero`);
    }
  }
  const holds = hold(purse.holds, event, change);
  return 'kind' in holds ? holds : { available, held, holds: holds.open };
}

/** The open holds after an event: each is made once, and given back or used up once, whole. */
function hold(
  before: ReadonlyMap<string, Amounts>,
  event: RecordedEvent,
  change: Amounts,
): { readonly open: ReadonlyMap<string, Amounts> } | Fault {
  if (isSame(change, noAmounts)) return { open: before };
  const { requestId } = event.data;
  if (typeof requestId !== 'string') return faultOf(event, 'hold', 'it moves held money of no request');
  const known = before.get(requestId);
  const open = new Map(before);
  if (currencies.every((currency) => change[currency] >= 0n)) {
    if (known !== undefined) return faultOf(event, 'hold', `request ${requestId} holds money already`);
    open.set(requestId, change);
  } else {
    if (known === undefined) return faultOf(event, 'hold', `request ${requestId} holds no money (any more)`);
    if (!isSame(addAmounts(known, change), noAmounts)) {
      return faultOf(event, 'hold', `it takes another amount than request ${requestId} holds`);
    }
    open.delete(requestId);
  }
  return { open };
}

/** True when both are the same in every currency. */
export function isSame(a: Amounts, b: Amounts): boolean {
  return currencies.every((currency) => a[currency] === b[currency]);
}
