import { TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { refusalOf, useChangePasswordMutation } from '../../api';
import { useKey } from '../../lib';
import { Form, FormActs, notifySuccess } from '../../ui';
import { tellRefusal } from '../forms';
import { codeCodes, CodeInput, codeOf, codeProblem, Proof, useProof } from '../security';

const INCOMPLETE = 'Incomplete information';
const filled = (text: string) => text !== '' || INCOMPLETE;

type Props = {
  /** The old one is that which an admin chose. */
  readonly isGiven?: boolean;
  readonly onDone?: () => void;
};

/** A new password, which the old one allows, with a code or a passkey of a second factor that is on. */
export function PasswordForm({ isGiven = false, onDone }: Props) {
  const [change] = useChangePasswordMutation();
  const key = useKey();
  const proof = useProof('security');
  const { register, handleSubmit, formState, setError, reset } = useForm({
    defaultValues: { oldPassword: '', newPassword: '', confirmPassword: '', code: '' },
  });
  const submit = handleSubmit(async ({ oldPassword, newPassword, code }) => {
    const body = { oldPassword, newPassword };
    const proven = await proof.take(codeOf(code));
    if (proven === undefined) return;
    const { error } = await change({ ...body, ...proven, idempotencyKey: key.of(body) });
    if (error === undefined) {
      key.done();
      reset();
      notifySuccess('Password updated successfully!');
      onDone?.();
      return;
    }
    const refusal = refusalOf(error, {
      failed: 'Failed to reset password.',
      codes: { ...codeCodes, invalid_credentials: 'oldPassword', password_policy: 'newPassword' },
      fields: ['oldPassword', 'newPassword', 'code'],
    });
    tellRefusal(refusal, setError);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="Password" onSubmit={submit}>
      <TextInput
        label={isGiven ? 'Password you were given' : 'Old password'}
        type="password"
        autoComplete="current-password"
        error={errors.oldPassword?.message}
        {...register('oldPassword', { validate: filled })}
      />
      <TextInput
        label="New password"
        type="password"
        autoComplete="new-password"
        error={errors.newPassword?.message}
        {...register('newPassword', { validate: filled })}
      />
      <TextInput
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register('confirmPassword', {
          validate: (text, { newPassword }) => text === newPassword || 'Passwords do not match',
        })}
      />
      <Proof proof={proof} instead="code">
        {() =>
          proof.asksCode && (
            <CodeInput error={errors.code?.message} {...register('code', { validate: codeProblem })} />
          )
        }
      </Proof>
      <FormActs submit={isGiven ? 'Set password' : 'Change password'} busy={isSubmitting} quiet={!isGiven}>
        {isGiven ? 'Nobody but you knows it then.' : 'All your other devices are signed out.'}
      </FormActs>
    </Form>
  );
}
