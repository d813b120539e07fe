import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SecondFactorState } from '#contracts';
import { detailOf, useRemovePasskeyMutation, useSecondFactorQuery } from '../../api';
import { Ago, Form, FormActs, LoadFailed, Notice, notifySuccess, Skeleton, When } from '../../ui';
import { passkeyLackFor } from '../../webauthn';
import { AddPasskey } from './add-passkey';
import { ProofFields, useProven } from './proof-fields';
import { RecoveryCodes } from './recovery-codes';
import { useAndMoneyWaits } from './use-and-money-waits';
import styles from './second-factor.module.css';

type Passkey = SecondFactorState['passkeys'][number];

/** The passkeys of whoever is signed in: what they are, another one, and one less. Where there can be none it says why. */
export function Passkeys() {
  // They are used on other screens, and when is shown here.
  const { data, error, refetch } = useSecondFactorQuery(undefined, { refetchOnMountOrArgChange: true });
  const [codes, setCodes] = useState<readonly string[]>();
  const [removing, setRemoving] = useState<Passkey>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />;
  if (data === undefined)
    return error === undefined ? (
      <Skeleton width="24ch" />
    ) : (
      <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
    );
  const { isOn, passkeys } = data;
  const lack = passkeyLackFor(data);
  return (
    <>
      {passkeys.length > 0 && (
        <ul className={`card ${styles.passkeys}`} aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <Row key={passkey.passkeyId} passkey={passkey} onRemove={setRemoving} />
          ))}
        </ul>
      )}
      {removing !== undefined && (
        <Remove key={removing.passkeyId} passkey={removing} onOver={() => setRemoving(undefined)} />
      )}
      {removing === undefined && lack === undefined && (
        <AddPasskey isFirst={passkeys.length === 0} isOnlyFactor={!isOn} onCodes={setCodes} />
      )}
      {removing === undefined && lack !== undefined && (
        <section className="card">
          <Notice title="No passkey can be added here">{lack}</Notice>
        </section>
      )}
    </>
  );
}

type RowProps = { readonly passkey: Passkey; readonly onRemove: (passkey: Passkey) => void };

function Row({ passkey, onRemove }: RowProps) {
  const { name, addedAt, usedAt } = passkey;
  return (
    <li>
      <b>{name}</b>
      <span className="soft num">
        Added <When iso={addedAt} />
        {usedAt === undefined ? ', not used yet' : ', last used '}
        {usedAt !== undefined && <Ago iso={usedAt} />}
      </span>
      <Button variant="subtle" size="xs" aria-label={`Remove ${name}`} onClick={() => onRemove(passkey)}>
        Remove
      </Button>
    </li>
  );
}

type RemoveProps = { readonly passkey: Passkey; readonly onOver: () => void };

function Remove({ passkey: { passkeyId, name }, onOver }: RemoveProps) {
  const andMoneyWaits = useAndMoneyWaits();
  const [remove] = useRemovePasskeyMutation();
  const { form, proof, submit } = useProven('second factor');
  const removed = submit(
    (proven) => remove({ passkeyId, ...proven }),
    ({ message }) => {
      notifySuccess(message);
      onOver();
    },
  );
  return (
    <Form label="Remove a passkey" onSubmit={removed}>
      <p className="soft">
        <b>{name}</b> signs you in no longer then{andMoneyWaits}. Delete it on your device, too: this page
        can’t.
      </p>
      <ProofFields form={form} proof={proof} />
      <FormActs submit="Remove" busy={form.formState.isSubmitting} quiet>
        <Button variant="subtle" onClick={onOver}>
          Keep it
        </Button>
      </FormActs>
    </Form>
  );
}
