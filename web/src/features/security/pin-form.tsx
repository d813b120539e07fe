import { TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { refusalOf, useSetTransferPinMutation } from '../../api';
import { useKey } from '../../lib';
import { Form, FormActs, notifySuccess } from '../../ui';
import { tellRefusal } from '../forms';
import { codeCodes, CodeInput, codeOf, codeProblem } from './code-input';
import { isPin, PinInput, WRONG_PIN } from './pin-input';
import { Proof } from './proof';
import { useProof } from './use-proof';

const FAILED = 'Something went wrong.';

const explanations = {
  missing: 'A transfer asks for your pin: four digits that you alone know. Set it first.',
  locked: 'Your transfer pin was wrong too often and is locked. Set a new one to go on.',
  set: 'A new pin takes the place of the one you have.',
} as const;

type Props = {
  /** How the pin stands now. */
  readonly state: keyof typeof explanations;
};

/** Sets the transfer pin, with the password, and a code or a passkey of a second factor that is on. */
export function PinForm({ state }: Props) {
  const [set] = useSetTransferPinMutation();
  const key = useKey();
  const proof = useProof('security');
  const { register, handleSubmit, formState, setError, reset } = useForm({
    defaultValues: { pin: '', password: '', code: '' },
  });
  const submit = handleSubmit(async ({ code, ...body }) => {
    const proven = await proof.take(codeOf(code));
    if (proven === undefined) return;
    const { data, error } = await set({ ...body, ...proven, idempotencyKey: key.of(body) });
    if (error === undefined) {
      key.done();
      reset();
      notifySuccess(data.message);
      return;
    }
    const refusal = refusalOf(error, {
      failed: FAILED,
      codes: { ...codeCodes, invalid_credentials: 'password', pin_invalid: 'pin' },
      fields: ['pin', 'password', 'code'],
    });
    tellRefusal(refusal, setError);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="Set a transfer pin" onSubmit={submit}>
      <p className="soft">{explanations[state]}</p>
      <PinInput
        label="New transfer pin"
        error={errors.pin?.message}
        {...register('pin', { validate: (pin) => isPin(pin) || WRONG_PIN })}
      />
      <TextInput
        label="Your password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password', { validate: (text) => text !== '' || 'Please enter your password.' })}
      />
      <Proof proof={proof} instead="code">
        {() =>
          proof.asksCode && (
            <CodeInput error={errors.code?.message} {...register('code', { validate: codeProblem })} />
          )
        }
      </Proof>
      <FormActs submit="Set pin" busy={isSubmitting} quiet={state === 'set'} />
    </Form>
  );
}
