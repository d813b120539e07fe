import { paymentChoices, type PaymentCurrency } from '#contracts';

const symbols: Readonly<Record<string, string>> = { BTC: '₿', USDT: '₮', PI: 'π' };

/** The sign of a currency; one that has none here is shown by its code. */
export function symbolOf(currency: PaymentCurrency): string {
  return symbols[currency] ?? currency;
}

export function isPaymentCurrency(text: string | null): text is PaymentCurrency {
  return paymentChoices.some((currency) => currency === text);
}
