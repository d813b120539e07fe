import type { Json } from '#kernel';
import type { ApprovalLimits } from '../approval-tiers.js';
import type { BonusPolicy } from '../bonus-policy.js';
import { depositAddressFields, type DepositAddressField, type PaymentCurrency } from '../currencies.js';
import type { Minor } from '../money.js';

const contactFields = ['phoneNumber', 'email', 'contactAddress'] as const;
export type DepositField = (typeof contactFields)[number] | DepositAddressField;

/** What the platform says of itself: where it is reached, and where deposits in each currency go. */
export const depositFields: readonly DepositField[] = [...contactFields, ...depositAddressFields];
export type DepositDetails = Readonly<Partial<Record<DepositField, string>>>;
/** Fields that get another value; one that is null is removed. */
export type DepositChanges = Readonly<Partial<Record<DepositField, string | null>>>;

/** What an operator wrote for the sections of the public site, by section; a section that is null has its default again. */
export type ContentSections = { readonly [section: string]: Json };

/** What is asked of admins before they may do anything. */
export type AdminAccess = {
  /** Whoever has no second factor can do nothing but set one up. */
  readonly needsSecondFactor: boolean;
};

/** The facts of the stream `settings-global`. Each holds only what changed, but for limits, which go together. The names are storage. */
export type SettingsEvent =
  | { readonly type: 'DepositDetailsChanged'; readonly data: DepositChanges }
  | {
      readonly type: 'DollarRateSet';
      /** Units of the payout currency for one US dollar, at `RATE_SCALE`. */
      readonly data: { readonly rate: Minor };
    }
  | {
      readonly type: 'PricesSet';
      /** US dollars for one unit, at `PRICE_SCALE`. */
      readonly data: { readonly prices: Readonly<Partial<Record<PaymentCurrency, Minor>>> };
    }
  | { readonly type: 'BonusPolicySet'; readonly data: { readonly policy: BonusPolicy } }
  | { readonly type: 'ContentChanged'; readonly data: { readonly content: ContentSections } }
  | { readonly type: 'AdminAccessSet'; readonly data: AdminAccess }
  /** All limits there are from now on. */
  | { readonly type: 'ApprovalLimitsSet'; readonly data: ApprovalLimits };
