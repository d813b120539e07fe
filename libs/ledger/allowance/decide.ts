import type { ApprovalTiers } from '../approval-tiers.js';
import type { PaymentCurrency } from '../currencies.js';
import type { Minor } from '../money.js';
import type { AllowanceEvent, Use } from './events.js';
import { counts, type Allowance } from './state.js';

export type AllowanceCommand = {
  readonly type: 'UseAllowance';
  readonly uses: readonly Use[];
  readonly tiers: ApprovalTiers;
  /** How many approvals it takes at least. */
  readonly atLeast: number;
};

/**
 * Counts what an admin is about to move, and says in each event how many approvals all of it takes. A tier asks for its
 * approvals above its amount, in which all counts that the admin moved with fewer within 24 hours: what is split, over requests or in a bulk, is as
 * much as the whole.
 */
export function decide(
  { uses, tiers, atLeast }: AllowanceCommand,
  state: Allowance,
  at: string,
): readonly AllowanceEvent[] {
  const sums = new Map<PaymentCurrency, Minor>();
  for (const { currency, amount } of uses) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  const needed = [...sums].map(([currency, amount]) => approvalsFor(currency, amount, tiers, state, at));
  const approvals = Math.max(1, atLeast, ...needed);
  return [...sums].map(([currency, amount]) => ({
    type: 'AllowanceUsed',
    data: { amount, approvals, at, currency },
  }));
}

/** What an admin has moved in a currency within 24 hours, in cents. */
export function movedLately(currency: PaymentCurrency, { moved }: Allowance, now: string): Minor {
  const instant = Date.parse(now);
  return moved
    .filter((one) => one.currency === currency && counts(one.to, instant))
    .reduce((sum, one) => sum + one.amount, 0n);
}

/** How many approvals an amount takes on top of what its admin has moved. */
export function approvalsFor(
  currency: PaymentCurrency,
  amount: Minor,
  tiers: ApprovalTiers,
  { moved }: Allowance,
  now: string,
): number {
  const instant = Date.parse(now);
  let needed = 1;
  for (const { above, approvals } of tiers[currency] ?? []) {
    const before = moved
      .filter((one) => one.currency === currency && one.approvals < approvals && counts(one.to, instant))
      .reduce((sum, one) => sum + one.amount, 0n);
    if (before + amount > above) needed = approvals;
  }
  return needed;
}
