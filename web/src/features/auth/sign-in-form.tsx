import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { asApiError, useSignInMutation } from '../../api';
import { FormError } from './form-error';
import styles from './form.module.css';

type Fields = { email: string; password: string };

const MISSING = 'Email and password are required';

/** The product's words for a refused sign-in: the service's own sentence about an account, else the reason. */
function refusalOf(error: unknown): string {
  const known = asApiError(error);
  if (known?.kind !== 'problem') return 'Login failed: the service could not be reached';
  const isSentence = known.code === 'account_suspended' || known.code === 'account_not_found';
  return isSentence || known.detail === MISSING ? known.detail : `Login failed: ${known.detail}`;
}

type Props = {
  readonly onSignedIn?: () => void;
  /** Fixed when the same person has to come back. */
  readonly email?: string | undefined;
};

export function SignInForm({ onSignedIn, email = '' }: Props) {
  const id = useId();
  const [signIn] = useSignInMutation();
  const { register, handleSubmit, formState, setError, resetField, setFocus } = useForm<Fields>({
    defaultValues: { email, password: '' },
  });
  const submit = handleSubmit(async (fields) => {
    if (fields.email.trim() === '' || fields.password === '') {
      setError('root', { message: MISSING });
      setFocus(fields.email.trim() === '' ? 'email' : 'password');
      return;
    }
    const answer = await signIn(fields);
    if (answer.error === undefined) {
      onSignedIn?.();
      return;
    }
    resetField('password');
    setError('root', { message: refusalOf(answer.error) });
    setFocus('password');
  });
  const refusal = formState.errors.root?.message;
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <FormError id={`${id}-error`} message={refusal} />
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        aria-describedby={refusal === undefined ? undefined : `${id}-error`}
        {...register('email')}
      />
      <PasswordInput label="Password" autoComplete="current-password" {...register('password')} />
      <Button type="submit" disabled={formState.isSubmitting}>
        {formState.isSubmitting ? 'Please wait' : 'Login'}
      </Button>
    </form>
  );
}
