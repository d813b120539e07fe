import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AccountView } from '#contracts';
import { ActDialog } from '../acts';
import { useEraseAccountMutation } from './api';
import styles from './people.module.css';

type Props = { readonly account: AccountView; readonly name: string; readonly onClose: () => void };

/** Asks an owner again before somebody is forgotten for ever, and says what goes with them and what stays. */
export function Erase({ account: { userId, accountNumber }, name, onClose }: Props) {
  const [erase] = useEraseAccountMutation();
  const [typed, setTyped] = useState('');
  return (
    <ActDialog
      title={`Erase ${name}`}
      act="Erase for ever"
      warns
      reason="needed"
      ready={typed.trim() === accountNumber}
      about={userId}
      send={({ reason = '' }) => erase({ userId, reason })}
      failed="The account could not be erased."
      onClose={onClose}
    >
      <div className={styles.erase}>
        <p>Nobody can undo it. The account must have no money, and no request that waits.</p>
        <p>
          <b>What goes:</b> name, e-mail, phone, password and second factor, uploaded evidence and pictures,
          notes, mails and wallet addresses. The key that they are encrypted with is destroyed.
        </p>
        <p>
          <b>What stays:</b> what was booked and decided, when and why, under an id that leads to nobody. So
          name nobody in the reason.
        </p>
      </div>
      <TextInput
        label={`Type the account number ${accountNumber}`}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
    </ActDialog>
  );
}
