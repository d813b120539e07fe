import {
  convertFromUsd,
  formatMoney,
  parseDecimal,
  parseMoney,
  PRICE_SCALE,
  type AccountView,
  type FundRequestView,
  type PricesView,
} from '#contracts';
import { addMoney } from '../../lib';

type Balance = { readonly before: string; readonly after: string };
export type Effect = { readonly wallet: Balance; readonly asset: Balance; readonly price: string };

/** What confirming a request would do to both balances, by the ledger's own arithmetic at the prices in force. */
export function effectOf(
  request: FundRequestView,
  account: AccountView,
  prices: PricesView['prices'],
): Effect {
  const { currency, amount } = request;
  const price = prices[currency];
  const booked = convertFromUsd(parseMoney(amount, 'USD'), currency, parseDecimal(price, PRICE_SCALE));
  const asset = account.balances[currency].balance;
  return {
    price,
    wallet: { before: account.wallet.balance, after: addMoney(account.wallet.balance, amount, 'USD') },
    asset: { before: asset, after: addMoney(asset, formatMoney(booked, currency), currency) },
  };
}
