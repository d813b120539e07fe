import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { SecondStep } from '#contracts';
import {
  detailOf,
  hasCode,
  isOutcomeUnknown,
  UNKNOWN_OUTCOME,
  useSignInMutation,
  type FailureOf,
  type routes,
} from '../../api';
import { CodeForm } from './code-form';
import { FormError } from './form-error';
import styles from './form.module.css';

type Fields = { email: string; password: string };

const MISSING = 'Email and password are required';

/** The product's words for a refused sign-in: the service's own sentence about an account, else the reason. */
function refusalOf(error: FailureOf<typeof routes.signIn>): string {
  if (isOutcomeUnknown(error)) return UNKNOWN_OUTCOME;
  const detail = detailOf(error);
  if (detail === undefined) return 'Login failed: the service could not be reached';
  const isSentence = hasCode(error, 'account_suspended', 'account_not_found');
  return isSentence || detail === MISSING ? detail : `Login failed: ${detail}`;
}

type Props = {
  readonly onSignedIn?: () => void;
  /** Fixed when the same person has to come back. */
  readonly email?: string | undefined;
};

export function SignInForm({ onSignedIn, email = '' }: Props) {
  const id = useId();
  const [signIn] = useSignInMutation();
  const [step, setStep] = useState<SecondStep>();
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
      if ('challenge' in answer.data) setStep(answer.data);
      else onSignedIn?.();
      return;
    }
    resetField('password');
    setError('root', { message: refusalOf(answer.error) });
    setFocus('password');
  });
  if (step !== undefined)
    return <CodeForm step={step} onSignedIn={onSignedIn} onOver={() => setStep(undefined)} />;
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
