import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { refusalOf, useBeginSecondFactorMutation, useConfirmSecondFactorMutation } from '../../api';
import { Copy, Form, FormActs, notifySuccess, Qr } from '../../ui';
import { tellRefusal } from '../forms';
import { ProofFields, useProven } from './proof-fields';
import styles from './second-factor.module.css';

const FAILED = 'Something went wrong.';

type Props = { readonly onCodes: (codes: readonly string[]) => void };
type Begun = { readonly secret: string; readonly uri: string };
type SetUpProps = Props & {
  /** Whether a passkey is the second factor already. */
  readonly hasPasskey?: boolean;
};

/** Gives an authenticator app a secret, and has a first code confirm it. */
export function SetUp({ hasPasskey = false, onCodes }: SetUpProps) {
  const [begun, setBegun] = useState<Begun>();
  return begun === undefined ? (
    <AskProof hasPasskey={hasPasskey} onBegun={setBegun} />
  ) : (
    <Confirm {...begun} onCodes={onCodes} onCancel={() => setBegun(undefined)} />
  );
}

type AskProps = Required<Pick<SetUpProps, 'hasPasskey'>> & { readonly onBegun: (begun: Begun) => void };

function AskProof({ hasPasskey, onBegun }: AskProps) {
  const [begin] = useBeginSecondFactorMutation();
  const { form, proof, submit } = useProven('security');
  return (
    <Form label="Set up a second factor" onSubmit={submit(begin, onBegun)}>
      <p className="soft">
        {hasPasskey
          ? 'No app. With one, a code of it will do at sign-in where your passkey is not at hand.'
          : 'Off. With it, signing in asks for a code of an authenticator app on your telephone, and a stolen password opens nothing.'}
      </p>
      <ProofFields form={form} proof={proof} takesRecovery={false} />
      <FormActs submit="Set up" busy={form.formState.isSubmitting} quiet />
    </Form>
  );
}

function Confirm({ secret, uri, onCodes, onCancel }: Props & Begun & { readonly onCancel: () => void }) {
  const [confirm] = useConfirmSecondFactorMutation();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { code: '' } });
  const submit = handleSubmit(async (body) => {
    const { data, error } = await confirm(body);
    if (error === undefined) {
      notifySuccess(data.message);
      // Whoever had a passkey has some already.
      if (data.recoveryCodes.length > 0) onCodes(data.recoveryCodes);
      return;
    }
    tellRefusal(
      refusalOf(error, { failed: FAILED, codes: { second_factor_wrong: 'code' }, fields: ['code'] }),
      setError,
    );
  });
  return (
    <Form label="Confirm the second factor" onSubmit={submit}>
      <div className={styles.new}>
        <Qr text={uri} label="QR code for the authenticator app" />
        <div>
          <p className="soft">Scan it with your authenticator app, or type this secret into it:</p>
          <p className={styles.secret}>
            <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
            <Copy text={secret} what="secret" />
          </p>
        </div>
      </div>
      <TextInput
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        error={formState.errors.code?.message}
        {...register('code', { validate: (text) => text.trim() !== '' || 'Please enter the code.' })}
      />
      <p className="soft">All your other devices are signed out.</p>
      <FormActs submit="Switch on" busy={formState.isSubmitting} quiet>
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </FormActs>
    </Form>
  );
}
