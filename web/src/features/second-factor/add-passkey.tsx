import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { PasskeyCreation } from '#contracts';
import { hasCode, refusalOf, useAddPasskeyMutation, useBeginPasskeyMutation } from '../../api';
import { Form, FormActs, notifySuccess } from '../../ui';
import { makePasskey } from '../../webauthn';
import { tellRefusal } from '../forms';
import { ProofFields, useProven } from './proof-fields';

type Props = {
  /** Whether it is the first one. */
  readonly isFirst: boolean;
  /** Whether it is the first second factor. */
  readonly isOnlyFactor: boolean;
  readonly onCodes: (codes: readonly string[]) => void;
};

/** Adds a passkey: first the proof that its owner asks, then its name and the browser's own question. */
export function AddPasskey({ isFirst, ...props }: Props) {
  const [begun, setBegun] = useState<PasskeyCreation>();
  return begun === undefined ? (
    <AskProof isFirst={isFirst} onBegun={setBegun} />
  ) : (
    <Make options={begun} {...props} onOver={() => setBegun(undefined)} />
  );
}

type AskProps = Pick<Props, 'isFirst'> & { readonly onBegun: (options: PasskeyCreation) => void };

function AskProof({ isFirst, onBegun }: AskProps) {
  const [begin] = useBeginPasskeyMutation();
  const { form, proof, submit } = useProven('security');
  return (
    <Form label="Add a passkey" onSubmit={submit(begin, onBegun)}>
      <p className="soft">
        {isFirst
          ? 'None yet. With one, signing in asks your device beside the password. It can’t be read out, and works on no page that only looks like this one.'
          : 'A second one, on another device, is at hand when the first is lost.'}
      </p>
      <ProofFields form={form} proof={proof} takesRecovery={false} />
      <FormActs submit="Add a passkey" busy={form.formState.isSubmitting} quiet />
    </Form>
  );
}

type MakeProps = Omit<Props, 'isFirst'> & {
  readonly options: PasskeyCreation;
  readonly onOver: () => void;
};

function Make({ options, isOnlyFactor, onCodes, onOver }: MakeProps) {
  const [add] = useAddPasskeyMutation();
  const [said, setSaid] = useState<string>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { name: '' } });
  const submit = handleSubmit(async ({ name }) => {
    setSaid(undefined);
    const made = await makePasskey(options);
    if ('said' in made) {
      setSaid(made.said);
      return;
    }
    const { data, error } = await add({ name, passkey: made.passkey });
    if (error === undefined) {
      notifySuccess(data.message);
      if (data.recoveryCodes.length > 0) onCodes(data.recoveryCodes);
      onOver();
      return;
    }
    tellRefusal(refusalOf(error, { failed: 'Something went wrong.', fields: ['name'] }), setError);
    // What was to be signed is good for five minutes, and once.
    if (hasCode(error, 'challenge_invalid')) onOver();
  });
  return (
    <Form label="Make the passkey" onSubmit={submit}>
      <TextInput
        label="Name of the passkey"
        description="By which you know it again, such as “Work laptop”."
        autoComplete="off"
        maxLength={60}
        autoFocus
        error={formState.errors.name?.message}
        {...register('name', { validate: (text) => text.trim() !== '' || 'Please give it a name.' })}
      />
      <p className="soft" role="status">
        {said ?? 'Your browser asks you next where to keep it.'}
      </p>
      {isOnlyFactor && <p className="soft">All your other devices are signed out.</p>}
      <FormActs submit="Make the passkey" busy={formState.isSubmitting} quiet>
        <Button variant="subtle" onClick={onOver}>
          Cancel
        </Button>
      </FormActs>
    </Form>
  );
}
