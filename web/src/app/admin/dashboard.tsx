import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { FundRequestView } from '#contracts';
import { useTotalsQuery } from '../../api';
import { displayMoney } from '../../lib';
import { fundRequests, RequestTable, useRequestList, type Row } from '../../features/requests';
import { ListCard, LoadFailed, Notice, Skeleton } from '../../ui';
import { paths } from '../paths';
import { ClockNotice, QuickActions, useScreen } from '../shell';
import styles from '../shell/dashboard.module.css';
import { TransactionAction } from './decision';

/** Of the pending requests the dashboard shows the newest few; the rest is one link away. */
const NEWEST = 5;

function Count({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={`card ${styles.count}`} aria-label={title}>
      <h2 className="label">{title}</h2>
      <p className="num">{children}</p>
    </section>
  );
}

function NewestPending() {
  const { rows, page, waiting, isLoading, error, retry, showNew } = useRequestList(fundRequests, {
    status: 'Pending',
    limit: NEWEST,
  });
  const [opened, setOpened] = useState<Row<FundRequestView>>();
  const current = opened && (rows.find(({ request }) => request.id === opened.request.id) ?? opened);
  return (
    <ListCard
      title="Newest pending requests"
      action={
        <>
          <span role="status">
            {waiting > 0 && (
              <button type="button" className="action" onClick={showNew}>
                {waiting} new
              </button>
            )}
          </span>
          <Link className="action" to={`${paths.transactions}?status=Pending`}>
            All pending
          </Link>
        </>
      }
    >
      {error === undefined ? (
        <RequestTable
          columns={fundRequests.columns(true)}
          rows={rows}
          first={page?.first ?? 1}
          isLoading={isLoading}
          forAdmin
          skeletonRows={NEWEST}
          selected={current?.request.id}
          onOpen={setOpened}
        />
      ) : (
        <LoadFailed onRetry={retry} />
      )}
      {page !== undefined && rows.length === 0 && <Notice title="No logs available." />}
      {current !== undefined && (
        <TransactionAction key={current.request.id} row={current} onClose={() => setOpened(undefined)} />
      )}
    </ListCard>
  );
}

/** `/auth/dashboard` for an admin. */
export default function AdminDashboard() {
  useScreen('Dashboard');
  const { data: totals, error, refetch } = useTotalsQuery();
  const figure = (text: string | undefined) => text ?? <Skeleton width="5ch" />;
  return (
    <>
      <ClockNotice />
      {totals === undefined && error !== undefined ? (
        <section className="card">
          <LoadFailed onRetry={() => void refetch()} />
        </section>
      ) : (
        <div className={styles.counts}>
          <Count title="Total Users">{figure(totals?.users.toLocaleString('en'))}</Count>
          <Count title="Total Funding">
            {figure(totals && displayMoney(totals.funding, 'USD'))} <small>USD</small>
          </Count>
          <Count title="Pending funding">{figure(totals?.pendingFunding.toLocaleString('en'))}</Count>
        </div>
      )}
      <QuickActions />
      <NewestPending />
    </>
  );
}
