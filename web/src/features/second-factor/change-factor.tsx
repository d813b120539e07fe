import { Button, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { refusalOf, useRemoveSecondFactorMutation, useRenewRecoveryCodesMutation } from '../../api';
import { Form, FormActs, notifySuccess } from '../../ui';
import { tellRefusal } from '../forms';

type Props = {
  /** Recovery codes that were not used. */
  readonly left: number;
  readonly onCodes: (codes: readonly string[]) => void;
};

/** Takes a second factor off that is on, or gives new recovery codes, with the password and a code. */
export function ChangeFactor({ left, onCodes }: Props) {
  const [remove] = useRemoveSecondFactorMutation();
  const [renew] = useRenewRecoveryCodesMutation();
  const { register, handleSubmit, formState, setError, reset } = useForm({
    defaultValues: { password: '', code: '' },
  });
  const refused = (error: Parameters<typeof refusalOf>[0]) =>
    tellRefusal(
      refusalOf(error, {
        failed: 'Something went wrong.',
        codes: { invalid_credentials: 'password', second_factor_wrong: 'code' },
        fields: ['password', 'code'],
      }),
      setError,
    );
  const renewed = handleSubmit(async (body) => {
    const { data, error } = await renew(body);
    if (error !== undefined) {
      refused(error);
      return;
    }
    reset();
    onCodes(data.recoveryCodes);
  });
  const removed = handleSubmit(async (body) => {
    const { data, error } = await remove(body);
    if (error === undefined) notifySuccess(data.message);
    else refused(error);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="Change the second factor" onSubmit={renewed}>
      <p className="soft">
        On. Recovery codes left: {left}. Once it is off, no money leaves your account for the waiting time.
      </p>
      <TextInput
        label="Your password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password', { validate: (text) => text !== '' || 'Please enter your password.' })}
      />
      <TextInput
        label="Code, or a recovery code"
        autoComplete="one-time-code"
        error={errors.code?.message}
        {...register('code', { validate: (text) => text.trim() !== '' || 'Please enter the code.' })}
      />
      <FormActs submit="New recovery codes" busy={isSubmitting} quiet>
        <Button variant="default" disabled={isSubmitting} onClick={(event) => void removed(event)}>
          Switch off
        </Button>
      </FormActs>
    </Form>
  );
}
