import { TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import type { AccountView } from '#contracts';
import { detailOf, refusalOf, useEmailChangeQuery, useRequestEmailChangeMutation } from '../../api';
import { useKey } from '../../lib';
import { Form, FormActs, LoadFailed, notifySuccess, Skeleton } from '../../ui';
import { tellRefusal } from '../forms';
import { codeCodes, codeOf, proofCodes, SecurityProof, useProof } from '../security';
import styles from './email.module.css';
import { PendingEmail } from './pending-email';

type Props = Pick<AccountView, 'email' | 'isEmailVerified' | 'changeWaitHours'>;

/** The e-mail address that one signs in by, another one whose link waits, and the way to be sent a link. */
export function EmailAddress({ email, isEmailVerified, changeWaitHours }: Props) {
  const { data, error: failure, refetch } = useEmailChangeQuery();
  const [ask] = useRequestEmailChangeMutation();
  const key = useKey();
  const proof = useProof('security');
  const { register, handleSubmit, formState, setError, reset } = useForm({
    defaultValues: { email: '', proof: '', code: '' },
  });
  const submit = handleSubmit(async ({ email: typed, proof: password, code }) => {
    const body = { email: typed.trim() };
    const proven = await proof.take({ password, ...codeOf(code) });
    if (proven === undefined) return;
    const { data: asked, error } = await ask({ ...body, proof: proven, idempotencyKey: key.of(body) });
    if (error === undefined) {
      key.done();
      reset();
      notifySuccess(asked.message);
      return;
    }
    const refusal = refusalOf(error, {
      failed: 'The link could not be sent. Please try again.',
      codes: { ...proofCodes, ...codeCodes },
      fields: ['email', 'proof', 'code'],
    });
    tellRefusal(refusal, setError);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="E-mail address" onSubmit={submit}>
      <dl className={styles.now}>
        <dt>You sign in by</dt>
        <dd>
          <b>{email}</b> <span className="soft">{isEmailVerified ? 'Verified' : 'Not verified'}</span>
        </dd>
      </dl>
      {data === undefined && failure === undefined && <Skeleton width="24ch" />}
      {data === undefined && failure !== undefined && (
        <LoadFailed detail={detailOf(failure)} onRetry={() => void refetch()} />
      )}
      {data?.pending != null && <PendingEmail {...data.pending} />}
      <TextInput
        label="New e-mail address"
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...register('email', {
          validate: (text) => text.trim() !== '' || 'Please enter your new e-mail address.',
        })}
      />
      <SecurityProof proof={proof} register={register} errors={errors} />
      <FormActs submit="Send link" busy={isSubmitting} quiet>
        It changes once you use the link. Your other devices are signed out then
        {changeWaitHours > 0 && `, and no money leaves your account for ${changeWaitHours} hours`}.
      </FormActs>
    </Form>
  );
}
