import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AdminList } from '#contracts';
import { detailOf, useUser } from '../../api';
import { DataTable, ListCard, LoadFailed, When, type DataColumn } from '../../ui';
import { useAdminsQuery } from '../approvals';
import { dutyNames, useMay } from '../duty';
import { ChangeDuty } from './change-duty';
import styles from './admins.module.css';

type Admin = AdminList['admins'][number];

const columns: readonly DataColumn<Admin>[] = [
  { head: 'Name', place: 'lead', width: '16ch', cell: (admin) => <Name admin={admin} /> },
  { head: 'E-mail', place: 'more', width: '22ch', cell: ({ email }) => email },
  {
    head: 'Second factor',
    place: 'more',
    width: '8ch',
    cell: ({ hasSecondFactor }) => (
      <>
        <span className="narrow">Second factor: </span>
        {hasSecondFactor ? 'On' : 'None'}
      </>
    ),
  },
  {
    head: 'Newest session',
    place: 'date',
    width: '14ch',
    cell: ({ signedInAt }) =>
      signedInAt === null ? (
        'Signed in nowhere'
      ) : (
        <>
          <span className="narrow">Newest session: </span>
          <When iso={signedInAt} />
        </>
      ),
  },
  { head: 'Duty', place: 'state', width: '8ch', cell: ({ duty }) => dutyNames[duty] },
];

function Name({ admin: { userId, name, status } }: { readonly admin: Admin }) {
  const isOwn = useUser().userId === userId;
  return (
    <>
      {name}
      {isOwn && <span className="mark">you</span>}
      {status === 'suspended' && <span className="mark">suspended</span>}
    </>
  );
}

/** Everybody who is an admin, with what they are there for; an owner makes something else of one. */
export function Admins({ onOpen }: { readonly onOpen: (userId: string) => void }) {
  const { data, error, refetch } = useAdminsQuery(undefined);
  const [asked, setAsked] = useState<Admin>();
  const mayChange = useMay('give duties');
  if (data === undefined && error !== undefined)
    return (
      <ListCard title="Admins">
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      </ListCard>
    );
  return (
    <ListCard title="Admins">
      <DataTable
        label="Admins"
        columns={columns}
        rows={data?.admins}
        keyOf={({ userId }) => userId}
        skeletonRows={3}
        opens={{ word: 'View', name: ({ name }) => name, open: ({ userId }) => onOpen(userId) }}
        {...(mayChange && {
          act: (admin: Admin) => (
            <Button
              variant="subtle"
              size="xs"
              className={styles.change ?? ''}
              aria-label={`Change duty of ${admin.name}`}
              onClick={() => setAsked(admin)}
            >
              Change duty
            </Button>
          ),
        })}
      />
      {asked !== undefined && (
        <ChangeDuty key={asked.userId} admin={asked} onClose={() => setAsked(undefined)} />
      )}
    </ListCard>
  );
}
