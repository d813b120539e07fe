import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { OpenRequest } from '#contracts';
import { detailOf, useOpenRequestsQuery } from '../../api';
import { displayMoney } from '../../lib';
import { ListCard, LoadFailed, Notice } from '../../ui';
import type { Column, Listed } from './kind';
import { RequestTable } from './request-table';
import styles from './open-requests.module.css';

const OneRequest = lazy(() => import('./one-request'));

type Waiting = OpenRequest & Listed;

const columns: readonly Column<Waiting>[] = [
  { head: 'Kind', place: 'lead', width: '12ch', cell: ({ kind, currency }) => `${kind}, ${currency}` },
  { head: 'Amount, USD', place: 'figure', width: '7ch', cell: ({ amount }) => displayMoney(amount, 'USD') },
];

type Props = {
  readonly userId: string;
  /** Stands beside the heading. */
  readonly action: ReactNode;
};

/** A customer's requests of every kind that wait for a decision. */
export function OpenRequests({ userId, action }: Props) {
  const { data, error, refetch } = useOpenRequestsQuery({ userId });
  const [opened, setOpened] = useState<OpenRequest>();
  const rows = (data?.items ?? []).map((request) => ({
    request: { ...request, status: 'Pending' as const, closed: false, customer: '' },
    left: false,
  }));
  return (
    <ListCard title="Open requests" action={action}>
      {data === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      ) : (
        <RequestTable
          columns={columns}
          rows={rows}
          first={1}
          isLoading={data === undefined}
          forAdmin={false}
          skeletonRows={2}
          onOpen={({ request }) => setOpened(request)}
        />
      )}
      {data?.items.length === 0 && (
        <Notice title="No logs available.">Nothing of yours waits for a decision.</Notice>
      )}
      {data?.more === true && (
        <p className={`soft ${styles.more ?? ''}`}>Older ones are in the history of each kind.</p>
      )}
      {opened !== undefined && (
        <Suspense>
          <OneRequest userId={userId} request={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </ListCard>
  );
}
