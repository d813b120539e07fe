import { useState } from 'react';
import { detailOf, useSecondFactorQuery } from '../../api';
import { LoadFailed, Skeleton } from '../../ui';
import { ChangeFactor } from './change-factor';
import { RecoveryCodes } from './recovery-codes';
import { SetUp } from './set-up';

/** Sets the second factor up, shows the recovery codes once, and takes it off again. */
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
  return data.isOn ? (
    <ChangeFactor left={data.recoveryCodesLeft} onCodes={setCodes} />
  ) : (
    <SetUp onCodes={setCodes} />
  );
}
