import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { AccountView } from '#contracts';
import { asApiError, refusalOf, useCloseAccountMutation } from '../../api';
import { isZero } from '../../lib';
import { Form, Notice, notifyError } from '../../ui';
import { tellRefusal } from '../forms';
import { codeCodes, codeOf, proofCodes, SecurityProof, useProof } from '../security';
import styles from './own-data.module.css';

const FAILED = 'Your account could not be closed. Please try again.';
/** No answer came, and it may have been done. */
const UNKNOWN =
  'We don’t know yet whether your account was closed. Reload this page: where you can’t sign in any more, it is closed.';

type Props = { readonly account: AccountView; readonly onClosed: () => void };

/** Closes the account for ever, once it is empty; `onClosed` takes its owner away from what is theirs no more. */
export function CloseAccount({ account, onClosed }: Props) {
  const [isAsked, setAsked] = useState(false);
  if (!isEmpty(account))
    return (
      <div className="card">
        <Notice title="Your account has money or open requests">
          Withdraw or transfer what is left, and wait until your requests are decided. Then you can close it
          here.
        </Notice>
      </div>
    );
  if (isAsked)
    return <ClosingForm email={account.email} onKept={() => setAsked(false)} onClosed={onClosed} />;
  return (
    <div className={`card ${styles.asked}`}>
      <p className="soft">
        Nobody can sign in to it again, and what is kept about you is erased. Nobody can undo that.
      </p>
      <Button variant="default" onClick={() => setAsked(true)}>
        Close account
      </Button>
    </div>
  );
}

/** As the service sees it: what is too little to be paid in any currency keeps no account open. */
function isEmpty({ sendable, totals, wallet }: AccountView): boolean {
  return totals.openRequests === 0 && isZero(wallet.held) && Object.values(sendable).every(isZero);
}

type FormProps = {
  readonly email: string;
  readonly onKept: () => void;
  readonly onClosed: () => void;
};

function ClosingForm({ email, onKept, onClosed }: FormProps) {
  const [close] = useCloseAccountMutation();
  const proof = useProof('security');
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { typed: '', proof: '', code: '' },
  });
  const submit = handleSubmit(async ({ proof: password, code }) => {
    const proven = await proof.take({ password, ...codeOf(code) });
    if (proven === undefined) return;
    const { error } = await close({ proof: proven });
    if (error === undefined) {
      onClosed();
      return;
    }
    if (asApiError(error)?.kind === 'unreachable') {
      notifyError(UNKNOWN);
      return;
    }
    const codes = { ...proofCodes, ...codeCodes };
    tellRefusal(refusalOf(error, { failed: FAILED, codes, fields: ['proof', 'code'] }), setError);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="Close account" onSubmit={submit}>
      <p>This closes your account for ever:</p>
      <ul className={styles.what}>
        <li>You are signed out everywhere, and nobody signs in to it again.</li>
        <li>
          The key of your personal data is destroyed. Your name, addresses, messages and mails can’t be read
          any more, and your files are deleted.
        </li>
        <li>Amounts and times of what was booked stay, under a number that leads to nobody.</li>
        <li>What is left of your balances, and is too little to be paid out, is the operator’s.</li>
        <li>It can’t be undone, by you or by us.</li>
      </ul>
      <TextInput
        label="Your e-mail address, to confirm"
        description={email}
        type="email"
        autoComplete="off"
        error={errors.typed?.message}
        {...register('typed', {
          validate: (text) =>
            text.trim().toLowerCase() === email.toLowerCase() ||
            'Please type the e-mail address of your account.',
        })}
      />
      <SecurityProof proof={proof} register={register} errors={errors} />
      <div className={styles.acts}>
        <Button type="submit" variant="danger" disabled={isSubmitting}>
          {isSubmitting ? 'Please wait' : 'Close it for ever'}
        </Button>
        <Button variant="default" disabled={isSubmitting} onClick={onKept}>
          Keep my account
        </Button>
      </div>
    </Form>
  );
}
