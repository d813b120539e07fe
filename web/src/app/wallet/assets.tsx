import { useSearchParams } from 'react-router';
import { useAccountQuery } from '../../api';
import { isPaymentCurrency, WalletCards, WalletTransactions } from '../../features/assets';
import { LoadFailed } from '../../ui';
import { OfPerson } from './of-person';

const FAILED = 'Error loading wallet data';

function Wallets({ userId }: { readonly userId: string }) {
  const { data: account, error, refetch } = useAccountQuery({ userId });
  const [search, setSearch] = useSearchParams();
  const opened = search.get('wallet');
  if (account === undefined && error !== undefined) {
    return (
      <section className="card">
        <LoadFailed detail={FAILED} onRetry={() => void refetch()} />
      </section>
    );
  }
  return (
    <>
      <WalletCards account={account} onOpen={(wallet) => setSearch({ wallet })} />
      {isPaymentCurrency(opened) && (
        <WalletTransactions
          userId={userId}
          currency={opened}
          cursor={search.get('cursor') ?? undefined}
          onGo={(cursor) => setSearch({ wallet: opened, cursor })}
          onClose={() => setSearch({})}
        />
      )}
    </>
  );
}

/** `/auth/assets/:userId`. `?wallet=BTC` opens the transactions of a wallet, so that they can be linked to. */
export default function Assets() {
  return <OfPerson title="Your Wallets">{(userId) => <Wallets userId={userId} />}</OfPerson>;
}
