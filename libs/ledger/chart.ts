import { invariant } from '#kernel';

/**
 * The chart of accounts. Every posting is booked to one of these; together they always add up to zero in each currency.
 *
 * - `customer/{id}/available`: what a customer may spend. Never negative.
 * - `customer/{id}/held`: what an open request has set aside. Never negative.
 * - `operator/deposits`: the other side of money that came in.
 * - `operator/payouts`: the other side of money that went out.
 * - `operator/bonus`: what the operator paid as promotional bonus.
 * - `operator/adjustments`: the other side of what an admin credited or debited by hand.
 * - `transit`: what has left one customer and not yet reached another.
 */
export type LedgerAccount =
  | `customer/${string}/available`
  | `customer/${string}/held`
  | 'operator/deposits'
  | 'operator/payouts'
  | 'operator/bonus'
  | 'operator/adjustments'
  | 'transit';

/** The kinds of accounts in the chart: a trial balance has one line for each. */
export const ledgerClasses = [
  'customersAvailable',
  'customersHeld',
  'transit',
  'deposits',
  'payouts',
  'bonus',
  'adjustments',
] as const;
export type LedgerClass = (typeof ledgerClasses)[number];

const OPERATOR = 'operator/';

/** The kind of an account. Throws for one that the chart doesn't have. */
export function classOf(account: LedgerAccount): LedgerClass {
  if (account.startsWith('customer/')) {
    if (account.endsWith('/available')) return 'customersAvailable';
    if (account.endsWith('/held')) return 'customersHeld';
  }
  const name = account.startsWith(OPERATOR) ? account.slice(OPERATOR.length) : account;
  const known = ledgerClasses.find((one) => one === name);
  invariant(
    known !== undefined && (known === 'transit') === (name === account),
    `${account} is in the chart of accounts`,
  );
  return known;
}

/** The account of what a customer may spend. */
export function availableOf(userId: string): LedgerAccount {
  return `customer/${userId}/available`;
}

/** The account of what a customer's open requests have set aside. */
export function heldOf(userId: string): LedgerAccount {
  return `customer/${userId}/held`;
}
