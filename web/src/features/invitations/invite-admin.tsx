import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Duty } from '#contracts';
import { detailOf, isSessionOver } from '../../api';
import { useKey } from '../../lib';
import { Copyable, notifyError, notifySuccess, When } from '../../ui';
import { DutyChoice } from '../duty';
import { useInviteAdminMutation } from './api';
import styles from './invitations.module.css';

type Link = { readonly url: string; readonly expiresAt: string };

/** Issues a link that makes one admin. It is shown here once, and nowhere else. */
export function InviteAdmin() {
  const [invite, { isLoading }] = useInviteAdminMutation();
  const [duty, setDuty] = useState<Duty>('support');
  const [link, setLink] = useState<Link>();
  const key = useKey();
  const issue = async () => {
    const { data, error } = await invite({ duty, idempotencyKey: key.of(duty) });
    if (error === undefined) {
      key.done();
      setLink({ url: `${window.location.origin}${data.path}`, expiresAt: data.expiresAt });
      notifySuccess('Invitation issued');
    } else if (!isSessionOver(error)) notifyError(detailOf(error) ?? 'The invitation could not be issued.');
  };
  return (
    <section className={`card ${styles.invite}`} aria-label="Invite an admin">
      <div>
        <h2>Invite an admin</h2>
        <p className="soft">
          Whoever opens the link first and registers is an admin of this duty. It is shown once, can be used
          once, and ends within a day.
        </p>
      </div>
      <DutyChoice value={duty} onChange={setDuty} />
      <Button disabled={isLoading} onClick={() => void issue()}>
        {isLoading ? 'Please wait' : 'Issue a link'}
      </Button>
      <div role="status" className={styles.link}>
        {link !== undefined && (
          <>
            <Copyable text={link.url} what="Invitation link" />
            <p className="soft">
              Good until <When iso={link.expiresAt} />. Send it to nobody but the new admin.
            </p>
          </>
        )}
      </div>
    </section>
  );
}
