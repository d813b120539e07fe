import { Button } from '@mantine/core';
import type { AccountView } from '#contracts';
import { detailOf, useRequestEmailVerificationMutation } from '../../api';
import { Notice, notifyError, notifySuccess } from '../../ui';
import styles from './verify-notice.module.css';

const acts = { withdraw: 'withdraw', transfer: 'transfer', fund: 'fund your wallet' } as const;
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** What somebody can’t do before the e-mail address is verified, and the way to be sent the link again. */
export default function VerifyNotice({ email, verifyFirst }: Pick<AccountView, 'email' | 'verifyFirst'>) {
  const [send, { isLoading }] = useRequestEmailVerificationMutation();
  const sendAgain = async () => {
    const { error } = await send();
    if (error === undefined) notifySuccess('The link is on its way.');
    else notifyError(detailOf(error) ?? 'The link could not be sent. Please try again.');
  };
  return (
    <section className={`card ${styles.notice}`} aria-label="E-mail address">
      <Notice
        title="Please verify your e-mail address."
        action={
          <Button variant="default" size="xs" loading={isLoading} onClick={() => void sendAgain()}>
            Send the link again
          </Button>
        }
      >
        A link was sent to {email}.
        {verifyFirst.length > 0 &&
          ` Until you use it you can’t ${or.format(verifyFirst.map((act) => acts[act]))}.`}
      </Notice>
    </section>
  );
}
