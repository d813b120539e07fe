import { perPaymentCurrency, type AccountView, type PaymentCurrency } from '#contracts';
import { displayMoney } from '../../lib';

/** What is free in each currency, in that currency. */
export function availableOf({ balances }: AccountView): Readonly<Record<PaymentCurrency, string>> {
  return perPaymentCurrency((currency) => displayMoney(balances[currency].available, currency));
}
