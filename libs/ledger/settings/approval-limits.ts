import { LodeError } from '#kernel';
import {
  APPROVAL_LIMITS,
  type ApprovalLimits,
  type ApprovalTier,
  type ApprovalTiers,
} from '../approval-tiers.js';
import { paymentCurrencies, type PaymentCurrency } from '../currencies.js';
import { fits } from '../money.js';
import type { SettingsEvent } from './events.js';

export type SetApprovalLimits = {
  readonly type: 'SetApprovalLimits';
  /** A currency that is left out keeps its tiers; one without any has no limit. */
  readonly tiers: ApprovalTiers;
  /** Left out, it stays as it is. */
  readonly expireHours: number | undefined;
  /** How many admins may decide. */
  readonly deciders: number;
};

/** Refuses with `setting_invalid` tiers that do not rise, and those that there are too few admins for. */
export function setApprovalLimits(
  { tiers: asked, expireHours: hours, deciders }: SetApprovalLimits,
  before: ApprovalLimits,
): readonly SettingsEvent[] {
  const { min, max } = APPROVAL_LIMITS.expireHours;
  const expireHours = hours ?? before.expireHours;
  if (!Number.isSafeInteger(expireHours) || expireHours < min || expireHours > max)
    throw invalid(`Please enter a whole number from ${min} to ${max} for expireHours.`);
  const changed = paymentCurrencies.filter(
    (currency) => asked[currency] !== undefined && !isSame(asked[currency], before.tiers[currency] ?? []),
  );
  if (changed.length === 0 && expireHours === before.expireHours) return [];
  for (const currency of changed) check(currency, asked[currency] ?? [], deciders);
  const tiers: Partial<Record<PaymentCurrency, readonly ApprovalTier[]>> = {};
  for (const currency of paymentCurrencies) {
    const kept = asked[currency] ?? before.tiers[currency] ?? [];
    if (kept.length > 0) tiers[currency] = kept;
  }
  return [{ type: 'ApprovalLimitsSet', data: { tiers, expireHours } }];
}

function isSame(asked: readonly ApprovalTier[], kept: readonly ApprovalTier[]): boolean {
  return (
    asked.length === kept.length &&
    asked.every(({ above, approvals }, n) => above === kept[n]?.above && approvals === kept[n].approvals)
  );
}

function check(currency: PaymentCurrency, tiers: readonly ApprovalTier[], deciders: number): void {
  const { approvals: range, tiers: most } = APPROVAL_LIMITS;
  if (tiers.length > most.max) throw invalid(`A currency has at most ${most.max} limits.`);
  for (const [n, { above, approvals }] of tiers.entries()) {
    if (above < 0n || !fits(above)) throw invalid(`Please enter a valid amount for ${currency}.`);
    if (!Number.isSafeInteger(approvals) || approvals < range.min || approvals > range.max)
      throw invalid(`Please enter from ${range.min} to ${range.max} approvals for ${currency}.`);
    const lower = tiers[n - 1];
    if (lower !== undefined && (above <= lower.above || approvals <= lower.approvals))
      throw invalid(`Each ${currency} limit has a larger amount and more approvals than the one before it.`);
    if (approvals > deciders)
      throw invalid(
        `${approvals} approvals need as many admins who may decide; there ${deciders === 1 ? 'is' : 'are'} ${deciders}.`,
      );
  }
}

function invalid(message: string): LodeError {
  return new LodeError('setting_invalid', message);
}
