import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { useState } from 'react';
import { scales, type Currency } from '#contracts';
import { detailOf, useAccountQuery, useUser } from '../../api';
import { RequestDialog, RequestTable, useRequestList, type Row } from '../../features/requests';
import { AssetsCard, TotalsCard, WalletCard, WhyPanel } from '../../features/wallet';
import { LoadFailed, Notice } from '../../ui';
import { fundHistoryOf, paths } from '../paths';
import { ClockNotice, QuickActions, useScreen } from '../shell';
import styles from '../shell/dashboard.module.css';

function isCurrency(text: string | null): text is Currency {
  return text !== null && text in scales;
}

function OpenRequests({ userId }: { readonly userId: string }) {
  const { rows, page, isLoading, error, retry } = useRequestList({ userId, status: 'Pending' });
  const [opened, setOpened] = useState<Row>();
  return (
    <section className={`card ${styles.list}`} aria-labelledby="open-requests">
      <header className={styles.head}>
        <h2 id="open-requests">Open requests</h2>
        <Link className="action" to={fundHistoryOf(userId)}>
          All requests
        </Link>
      </header>
      {error === undefined ? (
        <RequestTable
          rows={rows}
          first={page?.first ?? 1}
          isLoading={isLoading}
          forAdmin={false}
          skeletonRows={2}
          onOpen={setOpened}
        />
      ) : (
        <LoadFailed onRetry={retry} />
      )}
      {page !== undefined && rows.length === 0 && <Notice title="No logs available." />}
      {opened !== undefined && (
        <RequestDialog
          {...opened}
          title="Fund request"
          forAdmin={false}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
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
  if (account === undefined && error !== undefined) {
    return (
      <section className="card">
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      </section>
    );
  }
  return (
    <>
      <ClockNotice />
      <div className={styles.cards}>
        <WalletCard account={account} onWhy={() => explain('USD')} />
        <AssetsCard account={account} onWhy={explain} />
        <TotalsCard
          account={account}
          action={
            <Button component={Link} to={paths.fund} fullWidth>
              Fund Wallet
            </Button>
          }
        />
      </div>
      <QuickActions />
      <div className={styles.below} data-split={why !== undefined}>
        {why !== undefined && <WhyPanel userId={userId} currency={why} onClose={() => setSearch({})} />}
        <OpenRequests userId={userId} />
      </div>
    </>
  );
}
