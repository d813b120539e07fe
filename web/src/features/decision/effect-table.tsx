import { useAccountQuery, usePricesQuery } from '../../api';
import { displayMoney, displayPrice } from '../../lib';
import { LoadFailed } from '../../ui';
import { Effect as EffectRows, type EffectRow } from '../acts';
import type { AnyRequest } from '../requests';
import { effectOf, type Effect, type Line } from './effect';

/** The rows that there will be, in their order. */
function namesOf(request: AnyRequest): readonly Line['name'][] {
  return 'hold' in request ? ['wallet', 'held', 'currency'] : ['wallet', 'currency'];
}

function rowsOf(request: AnyRequest, effect: Effect | undefined): readonly EffectRow[] {
  const price = effect === undefined ? '…' : displayPrice(effect.price);
  const words = { wallet: 'Wallet, USD', held: 'On hold, USD', currency: `${request.currency} at ${price}` };
  return namesOf(request).map((name) => {
    const line = effect?.lines.find((one) => one.name === name);
    return {
      name: words[name],
      before: line && displayMoney(line.before, line.unit),
      after: line && displayMoney(line.after, line.unit),
    };
  });
}

/** What confirming a request would change for its customer. */
export function EffectTable({
  request,
  caption,
}: {
  readonly request: AnyRequest;
  readonly caption: string;
}) {
  const account = useAccountQuery({ userId: request.userId });
  const prices = usePricesQuery();
  if (account.isError || prices.isError) {
    return (
      <LoadFailed
        onRetry={() => {
          void account.refetch();
          void prices.refetch();
        }}
      />
    );
  }
  const effect = account.data && prices.data && effectOf(request, account.data, prices.data.prices);
  return <EffectRows caption={caption} rows={rowsOf(request, effect)} />;
}
