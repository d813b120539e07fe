import type { WaitingApproval } from '#contracts';
import { useAccountQuery, usePricesQuery } from '../../api';
import { displayMoney, displayPrice } from '../../lib';
import { LoadFailed } from '../../ui';
import { Effect, type EffectRow } from '../acts';
import { effectOf } from '../people';

/** What an adjustment that waits would change, by the ledger's own arithmetic at the prices in force. */
export function AdjustmentEffect({ waiting: { amounts, userId } }: { readonly waiting: WaitingApproval }) {
  const account = useAccountQuery({ userId });
  const prices = usePricesQuery();
  if (account.isError || prices.isError) {
    const retry = () => {
      void account.refetch();
      void prices.refetch();
    };
    return <LoadFailed onRetry={retry} />;
  }
  const byCurrency = Object.fromEntries(amounts.map(({ amount, currency }) => [currency, amount]));
  const effect = account.data && prices.data && effectOf(account.data, byCurrency, prices.data.prices);
  const rowOf = (name: string, unit: 'USD' | (typeof amounts)[number]['currency']): EffectRow => ({
    name,
    before: effect && displayMoney(effect[unit].before, unit),
    after: effect && displayMoney(effect[unit].after, unit),
  });
  const price = (unit: keyof NonNullable<typeof prices.data>['prices']) =>
    prices.data === undefined ? '…' : displayPrice(prices.data.prices[unit]);
  return (
    <Effect
      caption="Once it is approved"
      rows={[
        rowOf('Wallet, USD', 'USD'),
        ...amounts.map(({ currency }) => rowOf(`${currency} at ${price(currency)}`, currency)),
      ]}
    />
  );
}
