import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSecondFactorQuery } from '../../api';
import { passkeyLackFor } from '../../webauthn';
import { AddPasskey } from './add-passkey';
import { SetUp } from './set-up';

type Props = {
  readonly onCodes: (codes: readonly string[]) => void;
  /** How often it is asked whether there is one by now, in milliseconds: it may be made elsewhere. */
  readonly askMs: number;
};

/** The first second factor of whoever needs one: a passkey where this page can make one, or else codes of an app. */
export function SetUpFirst({ onCodes, askMs }: Props) {
  const { data } = useSecondFactorQuery(undefined, { pollingInterval: askMs });
  const [chosen, setChosen] = useState<'passkey' | 'app'>('passkey');
  const canMake = data !== undefined && passkeyLackFor(data) === undefined;
  if (!canMake) return <SetUp onCodes={onCodes} />;
  const isPasskey = chosen === 'passkey';
  return (
    <>
      <h2>{isPasskey ? 'A passkey' : 'An authenticator app'}</h2>
      {isPasskey ? <AddPasskey isFirst isOnlyFactor onCodes={onCodes} /> : <SetUp onCodes={onCodes} />}
      <Button variant="subtle" onClick={() => setChosen(isPasskey ? 'app' : 'passkey')}>
        {isPasskey ? 'Use an authenticator app instead' : 'Use a passkey instead'}
      </Button>
    </>
  );
}
