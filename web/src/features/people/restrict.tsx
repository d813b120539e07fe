import { useState } from 'react';
import type { AccountView } from '#contracts';
import { useUser } from '../../api';
import { ListCard } from '../../ui';
import { ActDialog } from '../acts';
import { useMay } from '../duty';
import { useActivateMutation, useSessionsOfQuery, useStopBonusMutation, useSuspendMutation } from './api';
import { Erase } from './erase';
import { cycleOf } from './bonus';
import { Line } from './line';
import { LostFactor } from './lost-factor';
import styles from './people.module.css';

type Props = { readonly account: AccountView; readonly name: string };
type Act = 'stop' | 'suspend' | 'activate' | 'erase';

/** What keeps somebody from something, each with what follows; and what lets them in again. */
export function Restrict({ account, name }: Props) {
  const { userId, status } = account;
  const [asked, setAsked] = useState<Act>();
  const sessions = useSessionsOfQuery({ userId }).currentData?.items.length ?? 0;
  const isOwn = useUser().userId === userId;
  const cycle = cycleOf(account);
  const signedOut = sessions === 1 ? 'one session' : `${sessions} sessions`;
  const close = () => setAsked(undefined);
  const mayStop = useMay('decide on money') && account.role === 'user';
  // Who of the admins may come in is for owners to decide.
  const mayKeepOut = useMay(account.role === 'admin' ? 'give duties' : 'look after people');
  const mayErase = useMay('erase');
  if (!mayStop && !mayKeepOut) return null;
  return (
    <ListCard title="Restrict">
      <ul className={styles.restrict}>
        {mayStop && (
          <Line
            title="Stop mining"
            act="Stop"
            disabled={cycle?.isRunning !== true}
            onAct={() => setAsked('stop')}
          >
            {cycle?.isRunning === true
              ? `Ends the bonus at day ${cycle.paid}. What was credited stays.`
              : 'No cycle runs.'}
          </Line>
        )}
        {!mayKeepOut ? null : status === 'suspended' ? (
          <Line title="Activate" act="Activate" onAct={() => setAsked('activate')}>
            Lets {name} sign in again.
          </Line>
        ) : (
          <Line
            title="Suspend"
            act="Block User"
            disabled={isOwn || status === 'closed'}
            onAct={() => setAsked('suspend')}
          >
            {isOwn
              ? 'You can’t block yourself. Another admin can.'
              : status === 'closed'
                ? 'The account is closed for ever.'
                : `Signs out ${signedOut} at once. Open requests stay Pending.`}
          </Line>
        )}
        {mayKeepOut && account.role === 'user' && <LostFactor account={account} name={name} />}
        {mayErase && (
          <Line
            title="Erase"
            act="Erase"
            disabled={status === 'active' || isOwn}
            onAct={() => setAsked('erase')}
          >
            {status === 'active'
              ? 'For an account that is blocked: block it first.'
              : `Forgets ${name} for ever. What was booked stays.`}
          </Line>
        )}
      </ul>
      <p className={`soft ${styles.foot}`}>Each shows what follows and asks for a reason first.</p>
      {asked === 'stop' && <StopMining account={account} name={name} onClose={close} />}
      {asked === 'erase' && <Erase account={account} name={name} onClose={close} />}
      {asked === 'suspend' && <Suspend {...{ userId, name, signedOut }} onClose={close} />}
      {asked === 'activate' && <Activate {...{ userId, name }} onClose={close} />}
    </ListCard>
  );
}

type ActProps = { readonly userId: string; readonly name: string; readonly onClose: () => void };

function StopMining({ account, name, onClose }: Props & Pick<ActProps, 'onClose'>) {
  const [stop] = useStopBonusMutation();
  const { userId } = account;
  const cycle = cycleOf(account);
  return (
    <ActDialog
      title="Stop mining"
      act="Stop"
      warns
      reason="needed"
      send={(input) => stop({ userId, ...input })}
      done="Mining stopped successfully"
      failed="Mining could not be stopped."
      onClose={onClose}
    >
      <p>
        {name}’s bonus ends at day {cycle?.paid ?? 0} of {cycle?.days ?? 0}: the other days count as paid, and
        nothing is credited for them. What was credited stays. A restart begins a new cycle.
      </p>
    </ActDialog>
  );
}

function Suspend({ userId, name, signedOut, onClose }: ActProps & { readonly signedOut: string }) {
  const [suspend] = useSuspendMutation();
  return (
    <ActDialog
      title={`Suspend ${name}`}
      act="Block User"
      warns
      reason="needed"
      send={(input) => suspend({ userId, ...input })}
      done="User blocked successfully!"
      failed="Failed to block the user."
      onClose={onClose}
    >
      <p>
        {name} is signed out of {signedOut} at once and can’t sign in until an admin activates the account.
        Balances stay as they are, and open requests stay Pending.
      </p>
    </ActDialog>
  );
}

function Activate({ userId, name, onClose }: ActProps) {
  const [activate] = useActivateMutation();
  return (
    <ActDialog
      title={`Activate ${name}`}
      act="Activate"
      reason="needed"
      send={(input) => activate({ userId, ...input })}
      done="User activated successfully!"
      failed="Failed to activate the user."
      onClose={onClose}
    >
      <p>{name} can sign in again, with the same password and balances.</p>
    </ActDialog>
  );
}
