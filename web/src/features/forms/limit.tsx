import type { AccountView, PaymentCurrency } from '#contracts';
import { usePricesQuery } from '../../api';
import { displayMoney, displayPrice, exactMoney, isZero } from '../../lib';
import { Sum } from '../../ui';

type Props = {
  readonly account: AccountView;
  readonly currency: PaymentCurrency;
  /** What can be done with it. */
  readonly done: 'withdrawn' | 'sent';
  /** US dollars that must stay in the wallet, where some must; undefined while that is not known. */
  readonly remaining?: { readonly least: string | undefined };
  /** The most there is, as the service says it; undefined while that is not known. */
  readonly most: string | undefined;
};

/** How much can leave in a currency and why not more: the smaller of what the wallet and what the currency allow. */
export function Limit({ account, currency, done, remaining, most }: Props) {
  const { data } = usePricesQuery();
  const { balance, held } = account.wallet;
  const price = data === undefined ? '' : `, at ${displayPrice(data.prices[currency])} USD`;
  const available = displayMoney(account.balances[currency].available, currency);
  return (
    <Sum
      label={`What can be ${done} in ${currency}, and why not more`}
      lines={[
        ['Wallet', dollars(balance)],
        ['On hold for open requests', less(held)],
        ...(remaining === undefined ? [] : [['Must stay in the wallet', less(remaining.least)] as const]),
        [`${currency} available${price}`, `${available} ${currency}`],
      ]}
      total={[`Can be ${done} in ${currency}`, dollars(most)]}
    />
  );
}

function dollars(amount: string | undefined): string | undefined {
  return amount === undefined ? undefined : `${displayMoney(amount, 'USD')} USD`;
}

/** What is taken off. */
function less(amount: string | undefined): string | undefined {
  return amount === undefined || isZero(amount) ? dollars(amount) : `${exactMoney(`-${amount}`, 'USD')} USD`;
}
