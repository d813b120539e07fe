import { Button, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { SecondStep } from '#contracts';
import {
  detailOf,
  isOutcomeUnknown,
  UNKNOWN_OUTCOME,
  useFinishSignInMutation,
  type FailureOf,
  type routes,
} from '../../api';
import { signByPasskey } from '../../webauthn';
import { FormError } from './form-error';
import styles from './form.module.css';

function wordsOf(error: FailureOf<typeof routes.finishSignIn>): string {
  if (isOutcomeUnknown(error)) return UNKNOWN_OUTCOME;
  return detailOf(error) ?? 'The service could not be reached. Please try again.';
}

type Props = {
  readonly step: Pick<SecondStep, 'challenge' | 'passkey'>;
  readonly onSignedIn?: (() => void) | undefined;
  /** Goes back to where the password is asked for. */
  readonly onOver: () => void;
};

/** The second step of a sign-in: a passkey, a code of the authenticator app, or a recovery code. */
export function CodeForm({ step: { challenge, passkey }, onSignedIn, onOver }: Props) {
  const id = useId();
  const [finish, { isLoading }] = useFinishSignInMutation();
  const { register, handleSubmit, formState, setError, clearErrors, setFocus } = useForm({
    defaultValues: { code: '' },
  });
  const submit = handleSubmit(async ({ code }) => {
    const { error } = await finish({ challenge, code });
    if (error === undefined) {
      onSignedIn?.();
      return;
    }
    setError('root', { message: wordsOf(error) });
    setFocus('code', { shouldSelect: true });
  });
  const [said, setSaid] = useState<string>();
  const use = async (options: NonNullable<typeof passkey>) => {
    clearErrors('root');
    const signed = await signByPasskey(options);
    setSaid('said' in signed ? signed.said : undefined);
    if ('said' in signed) return;
    const { error } = await finish({ challenge, passkey: signed.passkey });
    if (error === undefined) onSignedIn?.();
    else setError('root', { message: wordsOf(error) });
  };
  const refusal = formState.errors.root?.message;
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <FormError id={`${id}-error`} message={refusal} />
      {passkey !== undefined && (
        <>
          <Button autoFocus disabled={isLoading} onClick={() => void use(passkey)}>
            Use your passkey
          </Button>
          <p className="soft" role="status">
            {said ?? 'Not at hand? Use a code.'}
          </p>
        </>
      )}
      <TextInput
        label="Code"
        description="Six digits from your authenticator app. Not at hand? Use a recovery code."
        autoComplete="one-time-code"
        autoFocus={passkey === undefined}
        aria-describedby={refusal === undefined ? undefined : `${id}-error`}
        {...register('code')}
      />
      <Button
        type="submit"
        variant={passkey === undefined ? 'filled' : 'default'}
        disabled={formState.isSubmitting}
      >
        {formState.isSubmitting ? 'Please wait' : 'Continue'}
      </Button>
      <Button variant="subtle" onClick={onOver}>
        Start again
      </Button>
    </form>
  );
}
