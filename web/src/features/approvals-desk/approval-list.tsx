import { Button } from '@mantine/core';
import { useState } from 'react';
import type { WaitingApproval } from '#contracts';
import { detailOf } from '../../api';
import { useAddress } from '../../lib';
import { DataList, Notice, type DataColumn } from '../../ui';
import { useApprovalsQuery } from '../approvals';
import { amountColumn, approvalsColumn, byColumn, kindColumn, untilColumn } from './columns';
import { OpenApproval } from './open-approval';
import { approvalName } from './words';
import styles from './approvals-desk.module.css';

const columns: readonly DataColumn<WaitingApproval>[] = [
  { head: 'Customer', place: 'lead', width: '14ch', cell: ({ customer }) => customer },
  kindColumn,
  amountColumn,
  byColumn,
  untilColumn,
  approvalsColumn,
];

/** Whose, and what a link leads to. */
const names = ['person', 'open'] as const;

/** Requests and adjustments that wait for other admins; what is opened is in the address, so that a link leads another admin to it. */
export function ApprovalList() {
  const { values, set } = useAddress(names);
  const { person, open, cursor } = values;
  const { currentData: page, error, refetch } = useApprovalsQuery({ userId: person, cursor });
  return (
    <>
      {person !== undefined && (
        <div className={styles.bar}>
          <span className="soft">Only what is about one customer’s wallet.</span>
          <Button variant="default" size="xs" onClick={() => set({ person: undefined, open: undefined })}>
            Show all
          </Button>
        </div>
      )}
      <DataList
        label="Approvals"
        columns={columns}
        page={page}
        failure={error && { detail: detailOf(error), onRetry: () => void refetch() }}
        keyOf={({ id }) => id}
        selected={open}
        opens={{ word: 'Open', name: approvalName, open: ({ id }) => set({ ...values, open: id }) }}
        onGo={(to) => set({ open: undefined, cursor: to })}
        empty={<Notice title="No logs available.">No request or adjustment waits for another admin.</Notice>}
        order="last to run out first"
      />
      {page !== undefined && open !== undefined && (
        <Opened
          key={open}
          found={page.items.find(({ id }) => id === open)}
          onClose={() => set({ ...values, open: undefined })}
        />
      )}
    </>
  );
}

type OpenedProps = { readonly found: WaitingApproval | undefined; readonly onClose: () => void };

/** What the address names, as it was last seen: it may be decided while it stands open. */
function Opened({ found, onClose }: OpenedProps) {
  const [seen, setSeen] = useState(found);
  if (found !== undefined && found !== seen) setSeen(found);
  if (seen !== undefined)
    return <OpenApproval waiting={seen} isGone={found === undefined} onClose={onClose} />;
  return (
    <p role="status" className={styles.gone}>
      <b>This waits no more</b> What the link leads to was decided, or ran out.
    </p>
  );
}
