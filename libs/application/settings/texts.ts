import {
  formatDecimal,
  perPaymentCurrency,
  PRICE_SCALE,
  RATE_SCALE,
  type PaymentCurrency,
  type Prices,
  type Settings,
} from '#ledger';

/** Prices as decimal texts. */
export function pricesAsText(prices: Prices): Record<PaymentCurrency, string> {
  return perPaymentCurrency((currency) => formatDecimal(prices[currency], PRICE_SCALE));
}

/** The dollar rate as a decimal text; null until an admin sets it. */
export function rateAsText({ rate }: Settings): string | null {
  return rate === undefined ? null : formatDecimal(rate, RATE_SCALE);
}
