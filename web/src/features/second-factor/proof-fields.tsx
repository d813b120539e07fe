import { TextInput } from '@mantine/core';
import { useForm, type UseFormReturn, type UseFormSetError } from 'react-hook-form';
import { refusalOf, type FailureOf, type routes } from '../../api';
import { tellRefusal } from '../forms';
import {
  codeCodes,
  codeOf,
  codeProblem,
  Proof,
  useProof,
  type FormProof,
  type Proven,
  type Purpose,
} from '../security';

type Typed = { password: string; code: string };

/** What was typed, as it is sent. */
function provenBy({ password, code }: Typed) {
  return { password, ...codeOf(code) };
}

type Failure = FailureOf<
  typeof routes.removePasskey | typeof routes.beginPasskey | typeof routes.beginSecondFactor
>;

/** Says why what proves it was refused: at its field, or else in a toast. */
function tellUnproven(error: Failure, setError: UseFormSetError<Typed>): void {
  const refusal = refusalOf(error, {
    failed: 'Something went wrong.',
    codes: { ...codeCodes, invalid_credentials: 'password' },
    fields: ['password', 'code'],
  });
  tellRefusal(refusal, setError);
}

type Given = Proven<ReturnType<typeof provenBy>>;
/** What comes of a command: either of the two. */
type Outcome<Data> = { readonly data?: Data | undefined; readonly error?: Failure | undefined };

/**
 * A form that asks who asks. `submit` makes what sends it: to `send`, with what proves it, once there is that; `done` gets
 * what was answered, and what was refused is said.
 */
export function useProven(purpose: Purpose) {
  const proof = useProof(purpose);
  const form = useForm<Typed>({ defaultValues: { password: '', code: '' } });
  const submit = <Data,>(send: (given: Given) => PromiseLike<Outcome<Data>>, done: (data: Data) => void) =>
    form.handleSubmit(async (typed) => {
      const given = await proof.take(provenBy(typed));
      if (given === undefined) return;
      const { data, error } = await send(given);
      if (error !== undefined) tellUnproven(error, form.setError);
      else if (data !== undefined) done(data);
    });
  return { form, proof, submit };
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
