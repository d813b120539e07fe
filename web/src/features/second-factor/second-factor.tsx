import { useState } from 'react';
import { detailOf, useSecondFactorQuery } from '../../api';
import { LoadFailed, Skeleton } from '../../ui';
import { ChangeFactor } from './change-factor';
import { RecoveryCodes } from './recovery-codes';
import { SetUp } from './set-up';

/** Sets an app up as a second factor, shows the recovery codes once, and takes it off again. */
export function SecondFactor() {
  const { data, error, refetch } = useSecondFactorQuery();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />;
  if (data === undefined)
    return error === undefined ? (
      <Skeleton width="24ch" />
    ) : (
      <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
    );
  const { isOn, hasApp, recoveryCodesLeft, passkeys } = data;
  const hasPasskey = passkeys.length > 0;
  return (
    <>
      {!hasApp && <SetUp hasPasskey={hasPasskey} onCodes={setCodes} />}
      {isOn && (
        <ChangeFactor hasApp={hasApp} hasPasskey={hasPasskey} left={recoveryCodesLeft} onCodes={setCodes} />
      )}
    </>
  );
}
