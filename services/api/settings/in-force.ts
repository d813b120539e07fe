import {
  formatDecimal,
  perPaymentCurrency,
  PRICE_SCALE,
  RATE_SCALE,
  settingsStream,
  type PaymentCurrency,
  type Prices,
  type Settings,
} from '#ledger';
import type { Ledger } from '../commands/ledger.js';

/** What admins have set, with the defaults for what they have not; true as of the end of the log. */
export async function settingsInForce(ledger: Pick<Ledger, 'settings'>): Promise<Settings> {
  const { state } = await ledger.settings.load(settingsStream);
  return state;
}

/** The prices in force: US dollars for one unit. They are 1 until an admin sets them. */
export async function pricesInForce(ledger: Pick<Ledger, 'settings'>): Promise<Prices> {
  return (await settingsInForce(ledger)).prices;
}

/** Prices as decimal texts. */
export function pricesAsText(prices: Prices): Record<PaymentCurrency, string> {
  return perPaymentCurrency((currency) => formatDecimal(prices[currency], PRICE_SCALE));
}

/** The dollar rate as a decimal text; null until an admin sets it. */
export function rateAsText({ rate }: Settings): string | null {
  return rate === undefined ? null : formatDecimal(rate, RATE_SCALE);
}
