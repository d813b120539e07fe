import {
  formatDecimal,
  formatMoney,
  perPaymentCurrency,
  PRICE_SCALE,
  RATE_SCALE,
  type ApprovalLimits,
  type PaymentCurrency,
  type Prices,
  type Settings,
} from '#ledger';

/** Prices as decimal texts. */
export function pricesAsText(prices: Prices): Record<PaymentCurrency, string> {
  return perPaymentCurrency((currency) => formatDecimal(prices[currency], PRICE_SCALE));
}

/** Limits with their amounts as decimal texts; a currency without any has no tiers. */
export function limitsAsText({ expireHours, tiers }: ApprovalLimits) {
  const textOf = (currency: PaymentCurrency) =>
    (tiers[currency] ?? []).map(({ above, approvals }) => ({ above: formatMoney(above, 'USD'), approvals }));
  return { expireHours, tiers: perPaymentCurrency(textOf) };
}

/** The dollar rate as a decimal text; null until an admin sets it. */
export function rateAsText({ rate }: Settings): string | null {
  return rate === undefined ? null : formatDecimal(rate, RATE_SCALE);
}
