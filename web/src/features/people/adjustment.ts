import {
  convertFromUsd,
  formatMoney,
  parseDecimal,
  parseMoney,
  paymentCurrencies,
  PRICE_SCALE,
  type AccountView,
  type PaymentCurrency,
  type PricesView,
} from '#contracts';
import { addMoney, isZero, plainAmount } from '../../lib';

/** What is typed for each currency. */
export type Typed = Readonly<Partial<Record<PaymentCurrency, string>>>;

const SIGNED = /^-?\d{1,30}(?:\.\d{1,2})?$/;

/** Why what is typed can't be sent; undefined when it can, and when there is nothing. */
export function problemOf(text: string): string | undefined {
  const plain = plainOf(text);
  return plain === '' || SIGNED.test(plain) ? undefined : 'Please enter a valid amount.';
}

/** The amounts that are sent: one that is zero, or not typed, is skipped. */
export function amountsOf(typed: Typed): Typed {
  return Object.fromEntries(
    paymentCurrencies.flatMap((currency) => {
      const plain = plainOf(typed[currency] ?? '');
      return SIGNED.test(plain) && !isZero(plain) ? [[currency, plain]] : [];
    }),
  );
}

type Effect = { readonly before: string; readonly after: string };

/** What the amounts would do to the wallet and to each balance, by the ledger's own arithmetic at the prices in force. */
export function effectOf(
  account: AccountView,
  amounts: Typed,
  prices: PricesView['prices'],
): Readonly<Record<PaymentCurrency | 'USD', Effect>> {
  const changed = paymentCurrencies.map((currency) => {
    const before = account.balances[currency].balance;
    const minor = parseMoney(amounts[currency] ?? '0', 'USD');
    const size = minor < 0n ? -minor : minor;
    const booked = convertFromUsd(size, currency, parseDecimal(prices[currency], PRICE_SCALE));
    const change = formatMoney(minor < 0n ? -booked : booked, currency);
    return [currency, { before, after: addMoney(before, change, currency) }] as const;
  });
  const before = account.wallet.balance;
  const after = Object.values(amounts).reduce((sum, amount) => addMoney(sum, amount, 'USD'), before);
  return Object.fromEntries([...changed, ['USD', { before, after }]]) as Readonly<
    Record<PaymentCurrency | 'USD', Effect>
  >;
}

/** As the service takes it: a typographic minus is one, and a plus says nothing. */
function plainOf(text: string): string {
  const trimmed = text.trim().replace('−', '-');
  const sign = trimmed.startsWith('-') ? '-' : '';
  return sign + plainAmount(trimmed.replace(/^[+-]/, ''));
}
