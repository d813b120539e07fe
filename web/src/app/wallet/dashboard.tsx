import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { scales, type Currency } from '#contracts';
import { detailOf, useAccountQuery, useUser } from '../../api';
import { LastMovements } from '../../features/assets';
import { OpenRequests } from '../../features/requests';
import { VerifyEmail } from '../../features/verification';
import { AssetsCard, TotalsCard, WalletCard, WhyPanel } from '../../features/wallet';
import { LoadFailed } from '../../ui';
import { historyAt, paths } from '../paths';
import { ClockNotice, QuickActions, useScreen } from '../shell';
import styles from '../shell/dashboard.module.css';

/** After so long the account is asked for again where it could not be read. */
const AGAIN_MS = 5_000;

function isCurrency(text: string | null): text is Currency {
  return text !== null && text in scales;
}

/** `/auth/dashboard` for a customer. `?why=USD` opens the why-panel, so that it can be linked to and gone back from. */
export default function WalletDashboard() {
  useScreen('Dashboard');
  const { userId } = useUser();
  const { data: account, error, refetch } = useAccountQuery({ userId });
  const [search, setSearch] = useSearchParams();
  const asked = search.get('why');
  const why = isCurrency(asked) ? asked : undefined;
  const explain = (currency: Currency) => setSearch({ why: currency });
  const isLost = account === undefined && error !== undefined;
  // Nobody has to press Retry for what passes by itself; each failure is another error.
  useEffect(() => {
    if (!isLost) return;
    const again = setTimeout(() => void refetch(), AGAIN_MS);
    return () => clearTimeout(again);
  }, [isLost, error, refetch]);
  if (isLost) {
    return (
      <>
        <section className="card">
          <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
        </section>
        <QuickActions />
      </>
    );
  }
  return (
    <>
      <ClockNotice />
      <VerifyEmail account={account} />
      <div className={styles.cards}>
        <WalletCard account={account} onWhy={() => explain('USD')} />
        <AssetsCard account={account} onWhy={explain} />
        <TotalsCard
          account={account}
          action={
            <Button component={Link} to={paths.newRequest} fullWidth>
              New Request
            </Button>
          }
        />
      </div>
      <QuickActions />
      <div className={styles.below} data-split={why !== undefined}>
        {why !== undefined && (
          <WhyPanel userId={userId} currency={why} placeOf={historyAt} onClose={() => setSearch({})} />
        )}
        <OpenRequests
          userId={userId}
          action={
            <Link className="action" to={paths.newRequest}>
              All requests
            </Link>
          }
        />
        <LastMovements
          userId={userId}
          action={
            <Link className="action" to={paths.statement}>
              Statement
            </Link>
          }
        />
      </div>
    </>
  );
}
