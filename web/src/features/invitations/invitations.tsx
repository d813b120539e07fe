import { Button } from '@mantine/core';
import { useState } from 'react';
import type { InvitationView } from '#contracts';
import { detailOf } from '../../api';
import { useAddress } from '../../lib';
import { DataList, When, type DataColumn } from '../../ui';
import { ActDialog } from '../acts';
import { dutyNames, useMay } from '../duty';
import { useInvitationsQuery, useRevokeInvitationMutation } from './api';
import styles from './invitations.module.css';

/** After this an invitation has no end that is worth saying: the first admin's stands until it is used. */
const FAR = '9000';

const columns: readonly DataColumn<InvitationView>[] = [
  { head: 'Issued', place: 'date', width: '14ch', cell: ({ created }) => <When iso={created} /> },
  { head: 'By', place: 'lead', width: '14ch', cell: ({ issuedBy }) => issuedBy.name },
  {
    head: 'Duty',
    place: 'more',
    width: '8ch',
    cell: ({ duty }) => (
      <>
        <span className="narrow">Duty: </span>
        {dutyNames[duty]}
      </>
    ),
  },
  {
    head: 'Link ends',
    place: 'more',
    width: '14ch',
    cell: ({ expiresAt, state }) =>
      state === 'open' && (
        <>
          <span className="narrow">Link ends </span>
          {expiresAt > FAR ? 'when it is used' : <When iso={expiresAt} />}
        </>
      ),
  },
  {
    head: 'What became of it',
    place: 'more',
    width: '20ch',
    cell: ({ end, state }) =>
      end !== null && (
        <>
          {state === 'unfinished' ? 'Accepted, without an account so far' : endedBy(state, end.by)},{' '}
          <When iso={end.at} />
          {end.reason !== undefined && <span className="soft"> “{end.reason}”</span>}
        </>
      ),
  },
  {
    head: 'State',
    place: 'state',
    width: '8ch',
    cell: ({ state }) => (
      <span className={styles.state} data-state={state}>
        {state}
      </span>
    ),
  },
];

function endedBy(state: InvitationView['state'], { name }: NonNullable<InvitationView['end']>['by']): string {
  return `${state === 'accepted' ? 'Accepted by' : 'Revoked by'} ${name}`;
}

const names = [] as const;

/** The invitations that were issued, newest first, and how each is taken back. */
export function Invitations() {
  const { values, set } = useAddress(names);
  const { currentData: page, error, refetch } = useInvitationsQuery({ cursor: values.cursor });
  const [asked, setAsked] = useState<InvitationView>();
  const [revoke] = useRevokeInvitationMutation();
  const mayRevoke = useMay('invite admins');
  return (
    <>
      <DataList
        label="Invitations"
        columns={columns}
        page={page}
        keyOf={({ id }) => id}
        failure={error && { detail: detailOf(error), onRetry: () => void refetch() }}
        onGo={(cursor) => set({ cursor })}
        {...(mayRevoke && {
          act: (one: InvitationView) => (
            <Button
              variant="subtle"
              size="xs"
              disabled={one.state !== 'open' && one.state !== 'unfinished'}
              aria-label={`Revoke the invitation by ${one.issuedBy.name}`}
              onClick={() => setAsked(one)}
            >
              Revoke
            </Button>
          ),
        })}
      />
      {asked !== undefined && (
        <ActDialog
          title="Revoke the invitation"
          act="Revoke"
          warns
          reason="needed"
          about={asked.id}
          send={(input) => revoke({ invitationId: asked.id, ...input })}
          done="Invitation revoked"
          failed="The invitation could not be revoked."
          onClose={() => setAsked(undefined)}
        >
          <p>
            The link that {asked.issuedBy.name} issued at <When iso={asked.created} /> makes nobody an admin
            any more. Another one can be issued at any time.
          </p>
        </ActDialog>
      )}
    </>
  );
}
