import { useState } from 'react';
import type { AccountView } from '#contracts';
import { ActDialog } from '../acts';
import { useRemoveLostSecondFactorMutation } from './api';
import { Line } from './line';

type Props = { readonly account: AccountView; readonly name: string };

/** Takes off the second factor of a customer who has lost it: the password alone is enough then. */
export function LostFactor({ account: { userId, status }, name }: Props) {
  const [remove] = useRemoveLostSecondFactorMutation();
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Line
        title="Lost second factor"
        act="Take it off"
        disabled={status === 'closed'}
        onAct={() => setAsks(true)}
      >
        For a customer who has lost the app, the passkeys and the recovery codes.
      </Line>
      {asks && (
        <ActDialog
          title={`Take off the second factor of ${name}`}
          act="Take it off"
          warns
          reason="needed"
          send={({ reason = '' }) => remove({ userId, reason })}
          failed="The second factor could not be taken off."
          onClose={() => setAsks(false)}
        >
          <p>
            App, passkeys and recovery codes are worth nothing any more, where there are any, and the password
            alone signs {name} in. So make sure first who asks. No money leaves the account for a while, and{' '}
            {name} is told by mail.
          </p>
        </ActDialog>
      )}
    </>
  );
}
