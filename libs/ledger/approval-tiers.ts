import { paymentCurrencies, type PaymentCurrency } from './currencies.js';
import type { Minor } from './money.js';

/** Above this many cents, so many admins have to approve. */
export type ApprovalTier = { readonly above: Minor; readonly approvals: number };

/** The tiers of each currency that has any, from the lowest to the highest. */
export type ApprovalTiers = Readonly<Partial<Record<PaymentCurrency, readonly ApprovalTier[]>>>;

/** How many admins have to approve what, and for how long an approval counts. */
export type ApprovalLimits = { readonly tiers: ApprovalTiers; readonly expireHours: number };

/** What limits can be set, each inclusive. */
export const APPROVAL_LIMITS = {
  approvals: { min: 2, max: 5 },
  tiers: { max: 4 },
  expireHours: { min: 1, max: 720 },
} as const;

/** Before anybody has set anything, one admin decides. */
export const defaultApprovalLimits: ApprovalLimits = { tiers: {}, expireHours: 72 };

/** True when there are limits for one of these currencies, or for any. */
export function hasTiers(
  { tiers }: Pick<ApprovalLimits, 'tiers'>,
  of: readonly PaymentCurrency[] = paymentCurrencies,
): boolean {
  return of.some((currency) => (tiers[currency]?.length ?? 0) > 0);
}
