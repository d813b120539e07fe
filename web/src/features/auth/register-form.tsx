import { zodResolver } from '@hookform/resolvers/zod';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useForm, type FieldErrors, type UseFormRegister } from 'react-hook-form';
import { PASSWORD_LENGTH, registerBody, type RegisterBody } from '#contracts';
import {
  detailOf,
  hasCode,
  isOutcomeUnknown,
  UNKNOWN_OUTCOME,
  useRegisterMutation,
  type FailureOf,
  type routes,
} from '../../api';
import { useKey } from '../../lib';
import { FormError } from './form-error';
import styles from './form.module.css';

/** The product's pause before the sign-in page. */
const REDIRECT_MS = 2_000;

function refusalOf(error: FailureOf<typeof routes.register>): string {
  if (hasCode(error, 'email_exists')) return 'User already exists';
  if (isOutcomeUnknown(error)) return UNKNOWN_OUTCOME;
  return detailOf(error) ?? 'The service could not be reached. Please try again.';
}

const empty = { firstname: '', lastname: '', email: '', phone: '', password: '', confirmPassword: '' };

type Props = {
  /** Makes an admin instead of a customer. */
  readonly invitation?: string;
  /** Called two seconds after the account was made. */
  readonly onDone: () => void;
};

export function RegisterForm({ invitation, onDone }: Props) {
  const [done, setDone] = useState(false);
  const [createAccount] = useRegisterMutation();
  const key = useKey();
  const { register, handleSubmit, formState, setError } = useForm<RegisterBody>({
    resolver: zodResolver(registerBody),
    defaultValues: invitation === undefined ? empty : { ...empty, invitation },
  });
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(onDone, REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [done, onDone]);

  const submit = handleSubmit(async (fields) => {
    const answer = await createAccount({ ...fields, idempotencyKey: key.of(fields) });
    if (answer.error === undefined) setDone(true);
    else setError('root', { message: refusalOf(answer.error) });
  });
  const { errors, isSubmitting } = formState;
  if (done) {
    return (
      <p role="status" className={styles.done}>
        Registration successful. Redirecting to login...
      </p>
    );
  }
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <FormError message={errors.root?.message} />
      <RegisterFields register={register} errors={errors} />
      <Button type="submit" disabled={isSubmitting}>
        {isSubmitting ? 'Please wait' : 'Register'}
      </Button>
    </form>
  );
}

type FieldsProps = {
  readonly register: UseFormRegister<RegisterBody>;
  readonly errors: FieldErrors<RegisterBody>;
};

/** What somebody says of themselves, each field with what is wrong with it. */
function RegisterFields({ register, errors }: FieldsProps) {
  return (
    <>
      <div className={styles.pair}>
        <TextInput
          label="First name"
          autoComplete="given-name"
          error={errors.firstname?.message}
          {...register('firstname')}
        />
        <TextInput
          label="Last name"
          autoComplete="family-name"
          error={errors.lastname?.message}
          {...register('lastname')}
        />
      </div>
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...register('email')}
      />
      <TextInput
        label="Phone"
        type="tel"
        autoComplete="tel"
        error={errors.phone?.message}
        {...register('phone')}
      />
      <PasswordInput
        label="Password"
        autoComplete="new-password"
        description={`At least ${PASSWORD_LENGTH.min} characters.`}
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordInput
        label="Confirm password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...register('confirmPassword')}
      />
    </>
  );
}
