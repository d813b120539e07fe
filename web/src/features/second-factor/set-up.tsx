import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { refusalOf, useBeginSecondFactorMutation, useConfirmSecondFactorMutation } from '../../api';
import { Copy, Form, FormActs, notifySuccess, Qr } from '../../ui';
import { tellRefusal } from '../forms';
import styles from './second-factor.module.css';

const FAILED = 'Something went wrong.';

type Props = { readonly onCodes: (codes: readonly string[]) => void };
type Begun = { readonly secret: string; readonly uri: string };

/** Gives an authenticator app a secret, and has a first code confirm it. */
export function SetUp({ onCodes }: Props) {
  const [begun, setBegun] = useState<Begun>();
  return begun === undefined ? (
    <AskPassword onBegun={setBegun} />
  ) : (
    <Confirm {...begun} onCodes={onCodes} onCancel={() => setBegun(undefined)} />
  );
}

function AskPassword({ onBegun }: { readonly onBegun: (begun: Begun) => void }) {
  const [begin] = useBeginSecondFactorMutation();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { password: '' } });
  const submit = handleSubmit(async (body) => {
    const { data, error } = await begin(body);
    if (error === undefined) onBegun(data);
    else
      tellRefusal(
        refusalOf(error, {
          failed: FAILED,
          codes: { invalid_credentials: 'password' },
          fields: ['password'],
        }),
        setError,
      );
  });
  return (
    <Form label="Set up a second factor" onSubmit={submit}>
      <p className="soft">
        Off. With it, signing in asks for a code of an authenticator app on your telephone, and a stolen
        password opens nothing.
      </p>
      <TextInput
        label="Your password"
        type="password"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password', { validate: (text) => text !== '' || 'Please enter your password.' })}
      />
      <FormActs submit="Set up" busy={formState.isSubmitting} quiet />
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
      onCodes(data.recoveryCodes);
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
      <FormActs submit="Switch on" busy={formState.isSubmitting} quiet>
        All your other devices are signed out.
      </FormActs>
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </Form>
  );
}
