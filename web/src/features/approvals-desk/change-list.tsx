import { PAGE_SIZE_MAX, type WaitingChange } from '#contracts';
import { useState } from 'react';
import { detailOf } from '../../api';
import { useAddress } from '../../lib';
import { DataTable, later, ListCard, LoadFailed, type DataColumn } from '../../ui';
import { useChangesQuery } from '../approvals';
import { changeName, valuesOf } from './change-words';
import { untilColumn } from './columns';
import styles from './approvals-desk.module.css';

const ChangeDialog = later(() => import('./change-dialog'));

/** Which is open. */
const names = ['change'] as const;

const columns: readonly DataColumn<WaitingChange>[] = [
  { head: 'Change', place: 'lead', width: '16ch', cell: changeName },
  {
    head: 'From and to',
    place: 'more',
    width: '24ch',
    cell: (one) =>
      valuesOf(one).map(({ name, from, to }) => (
        <span key={name} className={styles.amount}>
          <span className="soft">{name}</span> {from ?? 'earlier'}
          <span className="faint" aria-hidden="true">
            {' → '}
          </span>
          <span className="visually-hidden">becomes</span> <b>{to}</b>
        </span>
      )),
  },
  {
    head: 'Asked for by',
    place: 'more',
    width: '14ch',
    cell: ({ by, isOwn }) => (
      <>
        <span className="narrow">Asked for by </span>
        {by.name}
        {isOwn && <span className="soft"> (you)</span>}
      </>
    ),
  },
  untilColumn,
];

/**
 * Changes of settings, duties and bonuses that wait for a second admin; nothing where none does. What is opened is in the
 * address, so that a link leads another admin to it.
 */
export function ChangeList() {
  const { values, set } = useAddress(names);
  const { currentData, error, refetch } = useChangesQuery({ limit: PAGE_SIZE_MAX });
  const rows = currentData?.items ?? [];
  const found = rows.find(({ id }) => id === values.change);
  const [seen, setSeen] = useState(found);
  if (found !== undefined && found !== seen) setSeen(found);
  const opened = values.change === undefined ? undefined : (found ?? seen);
  const isAway = currentData === undefined && error !== undefined;
  if (rows.length === 0 && opened === undefined && !isAway) return null;
  return (
    <div className={styles.changes}>
      <ListCard title="Changes that wait">
        {isAway ? (
          <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label="Changes that wait"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            selected={values.change}
            opens={{
              word: 'Open',
              name: (one) => `the change of ${changeName(one)} by ${one.by.name}`,
              open: ({ id }) => set({ cursor: values.cursor, change: id }),
            }}
          />
        )}
        {currentData?.next != null && (
          <p className="soft">Only the {PAGE_SIZE_MAX} that run out last are listed.</p>
        )}
        {opened !== undefined && (
          <ChangeDialog
            key={opened.id}
            waiting={opened}
            isGone={found === undefined}
            onClose={() => set({ cursor: values.cursor, change: undefined })}
          />
        )}
      </ListCard>
    </div>
  );
}
