import type { StalledTransferList } from '#contracts';
import { detailOf } from '../../api';
import { displayMoney, shortId } from '../../lib';
import { Ago, DataTable, ListCard, LoadFailed, Notice, type DataColumn } from '../../ui';
import { useStalledTransfersQuery, whileLookedAt } from './api';
import { formatSeconds } from './duration';

type Stalled = StalledTransferList['items'][number];

const columns: readonly DataColumn<Stalled>[] = [
  { head: 'Transfer', place: 'lead', width: '12ch', cell: ({ requestId }) => shortId(requestId) },
  {
    head: 'From and to',
    place: 'more',
    width: '20ch',
    cell: ({ from, to }) => `${shortId(from)} to ${shortId(to)}`,
  },
  { head: 'Under way since', place: 'date', width: '10ch', cell: ({ since }) => <Ago iso={since} /> },
  {
    head: 'Amount',
    place: 'figure',
    width: '10ch',
    cell: ({ amount, currency }) => `${displayMoney(amount, 'USD')} USD in ${currency}`,
  },
];

/** Transfers whose money has left its sender and has neither arrived nor come back. */
export function StalledTransfers() {
  const list = useStalledTransfersQuery(undefined, whileLookedAt);
  const { data, error } = list;
  return (
    <ListCard
      title="Stalled transfers"
      action={data && <span className="soft">longer than {formatSeconds(data.afterSeconds)}</span>}
    >
      {data === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <DataTable
            label="Stalled transfers"
            columns={columns}
            rows={data?.items}
            keyOf={({ requestId }) => requestId}
            skeletonRows={1}
          />
          {data?.items.length === 0 && <Notice title="No logs available.">No transfer stands still.</Notice>}
        </>
      )}
    </ListCard>
  );
}
