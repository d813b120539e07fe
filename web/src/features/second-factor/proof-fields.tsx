import { TextInput } from '@mantine/core';
import type { UseFormReturn, UseFormSetError } from 'react-hook-form';
import { refusalOf, type FailureOf, type routes } from '../../api';
import { tellRefusal } from '../forms';
import { codeCodes, codeOf, codeProblem, Proof, type FormProof } from '../security';

type Typed = { password: string; code: string };

export const noProof: Typed = { password: '', code: '' };

/** What was typed, as it is sent. */
export function provenBy({ password, code }: Typed) {
  return { password, ...codeOf(code) };
}

/** Says why what proves it was refused: at its field, or else in a toast. */
export function tellUnproven(
  error: FailureOf<
    typeof routes.removePasskey | typeof routes.beginPasskey | typeof routes.beginSecondFactor
  >,
  setError: UseFormSetError<Typed>,
): void {
  const refusal = refusalOf(error, {
    failed: 'Something went wrong.',
    codes: { ...codeCodes, invalid_credentials: 'password' },
    fields: ['password', 'code'],
  });
  tellRefusal(refusal, setError);
}

type Props = {
  readonly form: UseFormReturn<Typed>;
  readonly proof: FormProof;
  /** Whether a recovery code will do. */
  readonly takesRecovery?: boolean;
};

/** The password, and a code where there is a second factor; or a passkey. */
export function ProofFields({ form, proof, takesRecovery = true }: Props) {
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <Proof proof={proof} instead={proof.asksCode ? 'password and code' : 'password'}>
      {() => (
        <>
          <TextInput
            label="Your password"
            type="password"
            autoComplete="current-password"
            error={errors.password?.message}
            {...register('password', { validate: (text) => text !== '' || 'Please enter your password.' })}
          />
          {proof.asksCode && (
            <TextInput
              label={takesRecovery ? 'Code, or a recovery code' : 'Code of your authenticator app'}
              autoComplete="one-time-code"
              error={errors.code?.message}
              {...register('code', { validate: codeProblem })}
            />
          )}
        </>
      )}
    </Proof>
  );
}
