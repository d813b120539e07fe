import { Link } from 'react-router';
import { PAGE_SIZE_MAX, type OpenRequest } from '#contracts';
import { detailOf, useOpenRequestsQuery } from '../../api';
import { capitalized, displayMoney } from '../../lib';
import { Ago, Approvals, DataTable, ListCard, LoadFailed, Notice, type DataColumn } from '../../ui';
import { useApprovalsQuery } from '../approvals';
import { useMay } from '../duty';

type Props = {
  readonly userId: string;
  /** Where a request is decided. */
  readonly placeOf: (request: OpenRequest) => string;
};

function nameOf({ kind, currency }: OpenRequest): string {
  return `${capitalized(kind)}, ${currency}`;
}

const columns: readonly DataColumn<OpenRequest>[] = [
  { head: 'Kind', place: 'lead', width: '12ch', cell: nameOf },
  { head: 'Amount, USD', place: 'figure', width: '7ch', cell: ({ amount }) => displayMoney(amount, 'USD') },
  {
    head: 'Waiting',
    place: 'date',
    width: '8ch',
    cell: ({ createdAt }) => <Ago iso={createdAt} />,
  },
];

/** What of a customer waits for a decision, with the way to where it is decided. */
export function OpenRequestsOf({ userId, placeOf }: Props) {
  const { currentData, error, refetch } = useOpenRequestsQuery({ userId });
  const word = useMay('decide on money') ? 'Decide' : 'View';
  const waiting = useApprovalsQuery({ userId, limit: PAGE_SIZE_MAX }).currentData?.items;
  const approvals: DataColumn<OpenRequest> = {
    head: 'Approvals',
    place: 'state',
    width: '12ch',
    cell: (request) => {
      const found = waiting?.find(({ id }) => id === request.id);
      return found && <Approvals {...found.approvals} />;
    },
  };
  return (
    <ListCard title="Open requests">
      {currentData === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label="Open requests"
          columns={[...columns, approvals]}
          rows={currentData?.items}
          keyOf={({ id }) => id}
          skeletonRows={2}
          act={(request) => (
            <Link
              className="action"
              to={placeOf(request)}
              aria-label={`${word} ${nameOf(request)}, ${displayMoney(request.amount, 'USD')} USD`}
            >
              {word}
            </Link>
          )}
        />
      )}
      {currentData?.items.length === 0 && (
        <Notice title="No logs available.">Nothing waits for a decision.</Notice>
      )}
    </ListCard>
  );
}
