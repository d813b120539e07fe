import { Button } from '@mantine/core';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTotalsQuery, useUser } from '../../api';
import { useMay } from '../../features/duty';
import { Attention } from '../../features/overview';
import { displayMoney } from '../../lib';
import { later, LoadFailed, Skeleton } from '../../ui';
import { paths, withdrawalHistoryOf } from '../paths';
import { ClockNotice, QuickActions, useScreen } from '../shell';
import styles from '../shell/dashboard.module.css';
import own from './dashboard.module.css';

/** What stands above can be read before a list and a form have come. */
const EveryRequest = later(() => import('./every-request'));
const GlobalSettings = later(() => import('./global-settings'));

type CountProps = {
  readonly title: string;
  /** A line beneath the figure. */
  readonly note?: ReactNode;
  /** What leads on from it. */
  readonly act?: ReactNode;
  readonly children: ReactNode;
};

function Count({ title, note, act, children }: CountProps) {
  return (
    <section className={`card ${styles.count}`} aria-label={title}>
      <h2 className="label">{title}</h2>
      <p className="num">{children}</p>
      <div className={own.under}>
        <span className="soft num">{note}</span>
        {act}
      </div>
    </section>
  );
}

function Counts() {
  const { userId } = useUser();
  const mayCreate = useMay('look after people');
  const { data: totals, error, refetch } = useTotalsQuery();
  const figure = (text: string | undefined) => text ?? <Skeleton width="5ch" />;
  const dollars = (text: string | undefined) => text !== undefined && `${displayMoney(text, 'USD')} USD`;
  if (totals === undefined && error !== undefined)
    return (
      <section className="card">
        <LoadFailed onRetry={() => void refetch()} />
      </section>
    );
  return (
    <div className={styles.counts}>
      <Count
        title="Total Users"
        act={
          mayCreate && (
            <Button
              component={Link}
              to={paths.createUser}
              size="xs"
              leftSection={<Plus className="icon small" />}
            >
              Create User
            </Button>
          )
        }
      >
        {figure(totals?.users.toLocaleString('en'))}
      </Count>
      <Count title="Total Funding" note={totals && `${totals.pendingFunding} pending`}>
        {figure(totals && displayMoney(totals.funding, 'USD'))} <small>USD</small>
      </Count>
      <Count
        title="Pending Withdrawals"
        note={dollars(totals?.pendingWithdrawalAmount)}
        act={
          <Link className="action" to={`${withdrawalHistoryOf(userId)}?status=Pending`}>
            Open them
          </Link>
        }
      >
        {figure(totals?.pendingWithdrawals.toLocaleString('en'))}
      </Count>
    </div>
  );
}

/** `/auth/dashboard` for an admin. */
export default function AdminDashboard() {
  useScreen('Dashboard');
  return (
    <>
      <ClockNotice />
      <Counts />
      <QuickActions />
      <Attention all={`${paths.dashboard}?status=Pending`} operations={paths.projections} />
      <div className={own.below}>
        <div className={own.history}>
          <EveryRequest />
        </div>
        <section aria-label="Global Settings">
          <h2 className={own.title}>Global Settings</h2>
          <GlobalSettings />
        </section>
      </div>
    </>
  );
}
