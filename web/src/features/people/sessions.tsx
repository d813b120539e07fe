import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AccountView, SessionList } from '#contracts';
import { detailOf, useUser } from '../../api';
import {
  Ago,
  DataTable,
  ListCard,
  LoadFailed,
  Notice,
  notifyError,
  notifySuccess,
  When,
  type DataColumn,
} from '../../ui';
import { ActDialog } from '../acts';
import { useMay } from '../duty';
import { nameOfAgent } from '../settings';
import { useEndSessionOfMutation, useEndSessionsOfMutation, useSessionsOfQuery } from './api';

type Session = SessionList['items'][number];

const columns: readonly DataColumn<Session>[] = [
  {
    head: 'Device',
    place: 'lead',
    width: '16ch',
    cell: ({ agent }) => <span title={agent}>{nameOfAgent(agent)}</span>,
  },
  {
    head: 'From',
    place: 'more',
    width: '12ch',
    cell: ({ address }) => <span className="code">{address}</span>,
  },
  { head: 'Signed in', place: 'date', width: '14ch', cell: ({ createdAt }) => <When iso={createdAt} /> },
  { head: 'Last seen', place: 'state', width: '8ch', cell: ({ lastUsedAt }) => <Ago iso={lastUsedAt} /> },
];

type Props = {
  readonly account: Pick<AccountView, 'userId' | 'role'>;
  readonly name: string;
  /** Where those of several people stand below each other. */
  readonly title?: string;
};

/** Where somebody is signed in, and how to end it. */
export function SessionsOf({ account: { userId, role }, name, title = 'Sessions' }: Props) {
  const { currentData, error, refetch } = useSessionsOfQuery({ userId });
  const [end, { isLoading }] = useEndSessionOfMutation();
  const [asks, setAsks] = useState(false);
  const isOwn = useUser().userId === userId;
  // Other admins are for owners to look after.
  const mayEnd = useMay(role === 'admin' && !isOwn ? 'give duties' : 'look after people');
  const rows = currentData?.items;
  const endOne = async ({ sessionId }: Session) => {
    const { error: refused } = await end({ userId, sessionId });
    if (refused === undefined) notifySuccess('Signed out');
    else notifyError(detailOf(refused) ?? 'The session could not be ended.');
  };
  return (
    <ListCard
      title={title}
      action={
        mayEnd && (
          <button
            type="button"
            className="action"
            disabled={rows === undefined || rows.length === 0}
            onClick={() => setAsks(true)}
          >
            Sign out everywhere
          </button>
        )
      }
    >
      {currentData === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          keyOf={({ sessionId }) => sessionId}
          skeletonRows={2}
          {...(mayEnd && {
            act: (session: Session) => (
              <Button
                variant="subtle"
                size="xs"
                disabled={isLoading}
                aria-label={`Sign out ${nameOfAgent(session.agent)} at ${session.address}`}
                onClick={() => void endOne(session)}
              >
                Sign out
              </Button>
            ),
          })}
        />
      )}
      {rows?.length === 0 && <Notice title="No logs available.">{name} is signed in nowhere.</Notice>}
      {asks && (
        <EndAll userId={userId} name={name} count={rows?.length ?? 0} onClose={() => setAsks(false)} />
      )}
    </ListCard>
  );
}

type EndAllProps = {
  readonly userId: string;
  readonly name: string;
  readonly count: number;
  readonly onClose: () => void;
};

function EndAll({ userId, name, count, onClose }: EndAllProps) {
  const [endAll] = useEndSessionsOfMutation();
  return (
    <ActDialog
      title="Sign out everywhere"
      act="Sign out everywhere"
      reason="none"
      send={() => endAll({ userId })}
      done="Signed out everywhere"
      failed="The sessions could not be ended."
      onClose={onClose}
    >
      <p>
        {name} is signed out of {count === 1 ? 'one session' : `${count} sessions`} at once, and can sign in
        again.
      </p>
    </ActDialog>
  );
}
