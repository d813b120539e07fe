import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import { CodeInput, codeProblem } from './code-input';
import { Proof } from './proof';
import { ProofInput } from './proof-input';
import type { FormProof } from './use-proof';

type Props = {
  readonly proof: FormProof;
  /** The form's own. */
  readonly register: (
    name: 'proof' | 'code',
    options: { readonly validate: (text: string) => string | true },
  ) => UseFormRegisterReturn;
  readonly errors: FieldErrors<{ proof: string; code: string }>;
};

/** What a change of what guards the account asks for: the password, and a code of an app that there is, or a passkey. */
export function SecurityProof({ proof, register, errors }: Props) {
  return (
    <Proof proof={proof} instead={proof.asksCode ? 'password and code' : 'password'}>
      {() => (
        <>
          <ProofInput
            label="Your password"
            error={errors.proof?.message}
            {...register('proof', { validate: (text) => text !== '' || 'Please enter your password.' })}
          />
          {proof.asksCode && (
            <CodeInput error={errors.code?.message} {...register('code', { validate: codeProblem })} />
          )}
        </>
      )}
    </Proof>
  );
}
