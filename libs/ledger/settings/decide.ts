import { canonicalJson, LodeError, unreachable } from '#kernel';
import type { BonusPolicy } from '../bonus-policy.js';
import { paymentCurrencies, paymentCurrenciesIn, type PaymentCurrency } from '../currencies.js';
import type { Minor } from '../money.js';
import { setApprovalLimits, type SetApprovalLimits } from './approval-limits.js';
import { bonusFraction, BONUS_POLICY_LIMITS } from './bonus.js';
import {
  depositFields,
  type AdminAccess,
  type ContentSections,
  type DepositChanges,
  type DepositField,
  type SettingsEvent,
} from './events.js';
import { merged, type Settings } from './state.js';

/** Prices and rates that can be set, in units of 10^-8. At the lowest price nine million dollars still fit a balance. */
export const PRICE_LIMITS = { min: 10_000n, max: 10n ** 17n } as const;
export const RATE_LIMITS = { min: 1n, max: 10n ** 17n } as const;
/** All of the site's own content as JSON, in bytes. */
export const CONTENT_BYTES_MAX = 48 * 1024;

export type SettingsCommand =
  /** Fields that are left out or empty stay as they are (specification, section 7: a merge); null removes one. */
  | { readonly type: 'ChangeDepositDetails'; readonly details: DepositChanges }
  /** At `RATE_SCALE`. No rate is ignored (specification, section 5). */
  | { readonly type: 'SetDollarRate'; readonly rate: Minor | undefined }
  /** At `PRICE_SCALE`; a currency that is left out keeps its price. */
  | { readonly type: 'SetPrices'; readonly prices: Readonly<Partial<Record<PaymentCurrency, Minor>>> }
  | { readonly type: 'SetBonusPolicy'; readonly policy: BonusPolicy }
  /** Sections that are left out stay as they are; null brings a section's default back. */
  | { readonly type: 'ChangeContent'; readonly content: ContentSections }
  | ({ readonly type: 'SetAdminAccess' } & AdminAccess)
  | SetApprovalLimits;

/** What the settings answer to a command. Refuses with `setting_invalid` what is out of bounds. */
export function decide(command: SettingsCommand, state: Settings): readonly SettingsEvent[] {
  switch (command.type) {
    case 'ChangeDepositDetails':
      return changeDepositDetails(command.details, state);
    case 'SetDollarRate':
      return setDollarRate(command.rate, state);
    case 'SetPrices':
      return setPrices(command.prices, state);
    case 'SetBonusPolicy':
      return setBonusPolicy(command.policy, state);
    case 'ChangeContent':
      return changeContent(command.content, state);
    case 'SetAdminAccess':
      return setAdminAccess(command, state);
    case 'SetApprovalLimits':
      return setApprovalLimits(command, state.approvalLimits);
    default:
      return unreachable(command);
  }
}

function changeDepositDetails(details: DepositChanges, { deposit }: Settings): readonly SettingsEvent[] {
  const changed = depositFields.flatMap((field): [DepositField, string | null][] => {
    const given = details[field];
    if (given === null) return deposit[field] === undefined ? [] : [[field, null]];
    const text = given?.trim() ?? '';
    return text === '' || text === deposit[field] ? [] : [[field, text]];
  });
  return changed.length === 0 ? [] : [{ type: 'DepositDetailsChanged', data: Object.fromEntries(changed) }];
}

function setDollarRate(rate: Minor | undefined, state: Settings): readonly SettingsEvent[] {
  if (rate === undefined || rate === state.rate) return [];
  if (rate < RATE_LIMITS.min || rate > RATE_LIMITS.max) {
    throw invalid('Please enter a rate above 0 and up to 1000000000.');
  }
  return [{ type: 'DollarRateSet', data: { rate } }];
}

function setPrices(
  asked: Readonly<Partial<Record<PaymentCurrency, Minor>>>,
  state: Settings,
): readonly SettingsEvent[] {
  const prices: Partial<Record<PaymentCurrency, Minor>> = {};
  for (const currency of paymentCurrencies) {
    const price = asked[currency];
    if (price === undefined || price === state.prices[currency]) continue;
    if (price < PRICE_LIMITS.min || price > PRICE_LIMITS.max) {
      throw invalid(`Please enter a ${currency} price from 0.0001 to 1000000000.`);
    }
    prices[currency] = price;
  }
  return Object.keys(prices).length === 0 ? [] : [{ type: 'PricesSet', data: { prices } }];
}

function setBonusPolicy(asked: BonusPolicy, state: Settings): readonly SettingsEvent[] {
  const rate = bonusFraction(asked.rate);
  if (rate === undefined) throw invalid('Please enter a bonus rate from 0 to 1 with at most 4 decimals.');
  for (const name of ['windowDays', 'everyHours', 'capDays'] as const) {
    const { min, max } = BONUS_POLICY_LIMITS[name];
    const value = asked[name];
    if (!Number.isSafeInteger(value) || value < min || value > max) {
      throw invalid(`Please enter a whole number from ${min} to ${max} for ${name}.`);
    }
  }
  const { windowDays, everyHours, capDays, currency } = asked;
  if (!paymentCurrencies.includes(currency)) throw invalid(`Please choose ${paymentCurrenciesIn('or')}.`);
  const policy = { rate, windowDays, everyHours, capDays, currency };
  if (canonicalJson(policy) === canonicalJson(state.bonusPolicy)) return [];
  return [{ type: 'BonusPolicySet', data: { policy } }];
}

function changeContent(asked: ContentSections, state: Settings): readonly SettingsEvent[] {
  const content = Object.fromEntries(
    Object.entries(asked).filter(
      ([name, section]) => canonicalJson(section) !== canonicalJson(sectionOf(state.content, name)),
    ),
  );
  if (Object.keys(content).length === 0) return [];
  const bytes = new TextEncoder().encode(canonicalJson(merged(state.content, content))).length;
  if (bytes > CONTENT_BYTES_MAX) throw invalid('The texts of the site are larger than 48 KiB together.');
  return [{ type: 'ContentChanged', data: { content } }];
}

function setAdminAccess(
  { needsSecondFactor }: AdminAccess,
  { adminAccess }: Settings,
): readonly SettingsEvent[] {
  if (needsSecondFactor === adminAccess.needsSecondFactor) return [];
  return [{ type: 'AdminAccessSet', data: { needsSecondFactor } }];
}

function sectionOf(content: ContentSections, name: string) {
  return Object.hasOwn(content, name) ? (content[name] ?? null) : null;
}

function invalid(message: string): LodeError {
  return new LodeError('setting_invalid', message);
}
