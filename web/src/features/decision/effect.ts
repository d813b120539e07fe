import {
  convertFromUsd,
  formatMoney,
  parseDecimal,
  parseMoney,
  PRICE_SCALE,
  type AccountView,
  type Currency,
  type PricesView,
} from '#contracts';
import { addMoney } from '../../lib';
import type { AnyRequest } from '../requests';

/** One balance as it is, and as it would be. */
export type Line = {
  readonly name: 'wallet' | 'currency' | 'held';
  readonly unit: Currency;
  readonly before: string;
  readonly after: string;
};
export type Effect = { readonly price: string; readonly lines: readonly Line[] };

function moved(name: Line['name'], unit: Currency, before: string, change: string): Line {
  return { name, unit, before, after: addMoney(before, change, unit) };
}

/**
 * What confirming a request would do to its customer's balances, by the ledger's own arithmetic: a deposit is booked at
 * the price in force, and what was set aside leaves as it was set aside.
 */
export function effectOf(request: AnyRequest, account: AccountView, prices: PricesView['prices']): Effect {
  const { currency, amount } = request;
  const wallet = account.wallet;
  const asset = account.balances[currency].balance;
  if ('hold' in request) {
    const { converted, price } = request.hold;
    return {
      price,
      lines: [
        moved('wallet', 'USD', wallet.balance, `-${amount}`),
        moved('held', 'USD', wallet.held, `-${amount}`),
        moved('currency', currency, asset, `-${converted}`),
      ],
    };
  }
  return {
    price: prices[currency],
    lines: [
      moved('wallet', 'USD', wallet.balance, amount),
      moved('currency', currency, asset, bookedFor(request, prices)),
    ],
  };
}

/** What a deposit is booked as in its currency, at the price in force. */
export function bookedFor(
  { amount, currency }: Pick<AnyRequest, 'amount' | 'currency'>,
  prices: PricesView['prices'],
): string {
  const price = parseDecimal(prices[currency], PRICE_SCALE);
  return formatMoney(convertFromUsd(parseMoney(amount, 'USD'), currency, price), currency);
}
