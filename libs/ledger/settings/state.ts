import { unreachable } from '#kernel';
import type { Prices } from '../account/index.js';
import { defaultApprovalLimits, type ApprovalLimits } from '../approval-tiers.js';
import { defaultBonusPolicy, type BonusPolicy } from '../bonus-policy.js';
import { perPaymentCurrency } from '../currencies.js';
import { PRICE_SCALE, type Minor } from '../money.js';
import type {
  AdminAccess,
  ContentSections,
  DepositChanges,
  DepositDetails,
  SettingsEvent,
} from './events.js';

/** What admins have set, with the defaults for what they have not. */
export type Settings = {
  readonly deposit: DepositDetails;
  /** US dollars for one unit, at `PRICE_SCALE`. */
  readonly prices: Prices;
  /** Units of the payout currency for one US dollar, at `RATE_SCALE`; undefined until set. */
  readonly rate: Minor | undefined;
  readonly bonusPolicy: BonusPolicy;
  /** Sections of the public site that differ from their defaults. */
  readonly content: ContentSections;
  readonly adminAccess: AdminAccess;
  readonly approvalLimits: ApprovalLimits;
};

const ONE = 10n ** BigInt(PRICE_SCALE);

/** What is in force before anybody has set anything. */
export const defaultSettings: Settings = {
  deposit: {},
  prices: perPaymentCurrency(() => ONE),
  rate: undefined,
  bonusPolicy: defaultBonusPolicy,
  content: {},
  adminAccess: { needsSecondFactor: false },
  approvalLimits: defaultApprovalLimits,
};

/** Folds one event into the settings. */
export function evolve(state: Settings, event: SettingsEvent): Settings {
  switch (event.type) {
    case 'DepositDetailsChanged':
      return { ...state, deposit: withChanges(state.deposit, event.data) };
    case 'DollarRateSet':
      return { ...state, rate: event.data.rate };
    case 'PricesSet':
      return { ...state, prices: { ...state.prices, ...event.data.prices } };
    case 'BonusPolicySet':
      return { ...state, bonusPolicy: event.data.policy };
    case 'ContentChanged':
      return { ...state, content: merged(state.content, event.data.content) };
    case 'AdminAccessSet':
      return { ...state, adminAccess: event.data };
    case 'ApprovalLimitsSet':
      return { ...state, approvalLimits: event.data };
    default:
      return unreachable(event);
  }
}

function withChanges(deposit: DepositDetails, changes: DepositChanges): DepositDetails {
  return Object.fromEntries(Object.entries({ ...deposit, ...changes }).filter(([, value]) => value !== null));
}

/** The sections with others in their place; one that is null is left out. */
export function merged(sections: ContentSections, change: ContentSections): ContentSections {
  return Object.fromEntries(
    Object.entries({ ...sections, ...change }).filter(([, section]) => section !== null),
  );
}
