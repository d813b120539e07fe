import { Button, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { detailOf, isOutcomeUnknown, UNKNOWN_OUTCOME, useFinishSignInMutation } from '../../api';
import { FormError } from './form-error';
import styles from './form.module.css';

type Props = {
  readonly challenge: string;
  readonly onSignedIn?: (() => void) | undefined;
  /** Goes back to where the password is asked for. */
  readonly onOver: () => void;
};

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function CodeForm({ challenge, onSignedIn, onOver }: Props) {
  const id = useId();
  const [finish] = useFinishSignInMutation();
  const { register, handleSubmit, formState, setError, setFocus } = useForm({ defaultValues: { code: '' } });
  const submit = handleSubmit(async ({ code }) => {
    const { error } = await finish({ challenge, code });
    if (error === undefined) {
      onSignedIn?.();
      return;
    }
    const message = isOutcomeUnknown(error)
      ? UNKNOWN_OUTCOME
      : (detailOf(error) ?? 'The service could not be reached. Please try again.');
    setError('root', { message });
    setFocus('code', { shouldSelect: true });
  });
  const refusal = formState.errors.root?.message;
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <FormError id={`${id}-error`} message={refusal} />
      <TextInput
        label="Code"
        description="Six digits from your authenticator app. Not at hand? Use a recovery code."
        autoComplete="one-time-code"
        autoFocus
        aria-describedby={refusal === undefined ? undefined : `${id}-error`}
        {...register('code')}
      />
      <Button type="submit" disabled={formState.isSubmitting}>
        {formState.isSubmitting ? 'Please wait' : 'Continue'}
      </Button>
      <Button variant="subtle" onClick={onOver}>
        Start again
      </Button>
    </form>
  );
}
