import { useState } from 'react';
import { PAGE_SIZE_MAX, type WaitingApproval } from '#contracts';
import { detailOf } from '../../api';
import { DataTable, ListCard, LoadFailed, type DataColumn } from '../../ui';
import { useApprovalsQuery } from '../approvals';
import { amountColumn, approvalsColumn, untilColumn } from './columns';
import { OpenApproval } from './open-approval';
import { approvalName, approvalWords } from './words';

const columns: readonly DataColumn<WaitingApproval>[] = [
  {
    head: 'Adjustment',
    place: 'lead',
    width: '16ch',
    cell: (one) => (
      <>
        {approvalWords(one)} <span className="soft">asked for by {one.by[0]?.name}</span>
      </>
    ),
  },
  amountColumn,
  untilColumn,
  approvalsColumn,
];

/** Adjustments of a customer's wallet that wait for other admins, and have moved nothing; nothing where there is none. */
export function WaitingAdjustmentsOf({ userId }: { readonly userId: string }) {
  const { currentData, error, refetch } = useApprovalsQuery({ userId, limit: PAGE_SIZE_MAX });
  const [opened, setOpened] = useState<WaitingApproval>();
  const rows = currentData?.items.filter(({ kind }) => kind === 'adjustment') ?? [];
  const current = opened && (rows.find(({ id }) => id === opened.id) ?? opened);
  const isAway = currentData === undefined && error !== undefined;
  if (rows.length === 0 && current === undefined && !isAway) return null;
  return (
    <ListCard title="Waiting adjustments">
      {isAway ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label="Waiting adjustments"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          opens={{ word: 'Open', name: approvalName, open: setOpened }}
        />
      )}
      {current !== undefined && (
        <OpenApproval
          waiting={current}
          isGone={!rows.includes(current)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </ListCard>
  );
}
