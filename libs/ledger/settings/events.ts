import type { Json } from '#kernel';
import type { BonusPolicy } from '../bonus-policy.js';
import { depositAddressFields, type DepositAddressField, type PaymentCurrency } from '../currencies.js';

const contactFields = ['phoneNumber', 'email', 'contactAddress'] as const;
export type DepositField = (typeof contactFields)[number] | DepositAddressField;

/** What the platform says of itself: where it is reached, and where deposits in each currency go. */
export const depositFields: readonly DepositField[] = [...contactFields, ...depositAddressFields];
export type DepositDetails = Readonly<Partial<Record<DepositField, string>>>;

/** What an operator wrote for the sections of the public site, by section; a section that is null has its default again. */
export type ContentSections = { readonly [section: string]: Json };

/** The facts of the stream `settings-global`. Each holds only what changed. The names are storage. */
export type SettingsEvent =
  | { readonly type: 'DepositDetailsChanged'; readonly data: DepositDetails }
  | {
      readonly type: 'DollarRateSet';
      /** Units of the payout currency for one US dollar, decimal. */
      readonly data: { readonly rate: string };
    }
  | {
      readonly type: 'PricesSet';
      /** US dollars for one unit, decimal. */
      readonly data: { readonly prices: Readonly<Partial<Record<PaymentCurrency, string>>> };
    }
  | { readonly type: 'BonusPolicySet'; readonly data: { readonly policy: BonusPolicy } }
  | { readonly type: 'ContentChanged'; readonly data: { readonly content: ContentSections } };

/** The version that `decide` writes today. */
export const settingsEventVersions: { readonly [Type in SettingsEvent['type']]: number } = {
  DepositDetailsChanged: 1,
  DollarRateSet: 1,
  PricesSet: 1,
  BonusPolicySet: 1,
  ContentChanged: 1,
};
