import { eventCodecs, plainCodec, reading, type EventCodec, type EventCodecs } from '#kernel';
import type { ApprovalTier } from '../approval-tiers.js';
import { paymentCurrencies, type PaymentCurrency } from '../currencies.js';
import { formatDecimal, formatMoney, parseDecimal, parseMoney, PRICE_SCALE, RATE_SCALE } from '../money.js';
import type { DepositChanges, DepositDetails, SettingsEvent } from './events.js';

type Data<Type extends SettingsEvent['type']> = Extract<SettingsEvent, { readonly type: Type }>['data'];

/** Version 1 had no way to remove a field. */
const depositDetailsChanged: EventCodec<Data<'DepositDetailsChanged'>> = {
  version: 2,
  read: {
    1: reading((stored: DepositDetails) => stored),
    2: reading((stored: DepositChanges) => stored),
  },
  write: (data) => ({ ...data }),
};

const dollarRateSet: EventCodec<Data<'DollarRateSet'>> = {
  version: 1,
  read: {
    1: reading(({ rate }: { readonly rate: string }) => ({ rate: parseDecimal(rate, RATE_SCALE) })),
  },
  write: ({ rate }) => ({ rate: formatDecimal(rate, RATE_SCALE) }),
};

type StoredPrices = { readonly prices: Readonly<Partial<Record<PaymentCurrency, string>>> };

const pricesSet: EventCodec<Data<'PricesSet'>> = {
  version: 1,
  read: {
    1: reading(({ prices }: StoredPrices) => ({
      prices: mapped(prices, (price) => parseDecimal(price, PRICE_SCALE)),
    })),
  },
  write: ({ prices }) => ({ prices: mapped(prices, (price) => formatDecimal(price, PRICE_SCALE)) }),
};

/** The prices that are there, in another form. */
function mapped<From, To>(
  prices: Readonly<Partial<Record<PaymentCurrency, From>>>,
  to: (price: From) => To,
): Readonly<Partial<Record<PaymentCurrency, To>>> {
  const found: Partial<Record<PaymentCurrency, To>> = {};
  for (const currency of paymentCurrencies) {
    const price = prices[currency];
    if (price !== undefined) found[currency] = to(price);
  }
  return found;
}

type StoredTier = { readonly above: string; readonly approvals: number };
type StoredLimits = {
  readonly expireHours: number;
  readonly tiers: Readonly<Partial<Record<PaymentCurrency, readonly StoredTier[]>>>;
};

const approvalLimitsSet: EventCodec<Data<'ApprovalLimitsSet'>> = {
  version: 1,
  read: {
    1: reading(({ expireHours, tiers }: StoredLimits) => ({
      expireHours,
      tiers: mapped(tiers, (of): readonly ApprovalTier[] =>
        of.map(({ above, approvals }) => ({ above: parseMoney(above, 'USD'), approvals })),
      ),
    })),
  },
  write: ({ expireHours, tiers }) => ({
    expireHours,
    tiers: mapped(tiers, (of): readonly StoredTier[] =>
      of.map(({ above, approvals }) => ({ above: formatMoney(above, 'USD'), approvals })),
    ),
  }),
};

/** How the events of the settings are stored. */
export const settingsCodecs: EventCodecs<SettingsEvent> = eventCodecs<SettingsEvent>({
  DepositDetailsChanged: depositDetailsChanged,
  DollarRateSet: dollarRateSet,
  PricesSet: pricesSet,
  BonusPolicySet: plainCodec(),
  ContentChanged: plainCodec(),
  AdminAccessSet: plainCodec(),
  ApprovalLimitsSet: approvalLimitsSet,
});
