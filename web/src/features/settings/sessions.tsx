import { Button } from '@mantine/core';
import type { SessionList } from '#contracts';
import {
  detailOf,
  useEndOtherSessionsMutation,
  useEndOwnSessionMutation,
  useOwnSessionsQuery,
} from '../../api';
import { Ago, LoadFailed, notifyError, notifySuccess, Skeleton } from '../../ui';
import { nameOfAgent } from './agent';
import styles from './settings.module.css';

type Session = SessionList['items'][number];

/** Everywhere that the person is signed in, and how to end it. */
export function Sessions() {
  const { data, error, refetch } = useOwnSessionsQuery();
  const [end, ending] = useEndOwnSessionMutation();
  const [endOthers, endingOthers] = useEndOtherSessionsMutation();
  const busy = ending.isLoading || endingOthers.isLoading;
  const told = ({ error: failure }: { readonly error?: Parameters<typeof detailOf>[0] }, done: string) => {
    if (failure === undefined) notifySuccess(done);
    else notifyError(detailOf(failure) ?? 'Something went wrong.');
  };
  if (data === undefined && error !== undefined)
    return <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />;
  return (
    <div className={`card ${styles.sessions}`}>
      <ul aria-label="Devices">
        {data === undefined && (
          <li>
            <Skeleton width="24ch" />
          </li>
        )}
        {data?.items.map((session) => (
          <Device
            key={session.sessionId}
            session={session}
            busy={busy}
            onEnd={({ sessionId }) => void end({ sessionId }).then((answer) => told(answer, 'Signed out'))}
          />
        ))}
      </ul>
      <div className={styles.all}>
        <Button
          variant="default"
          disabled={busy || data === undefined || data.items.length < 2}
          onClick={() => void endOthers().then((answer) => told(answer, 'Signed out everywhere else'))}
        >
          Sign out everywhere else
        </Button>
        <span className="soft">Ends every session but this one.</span>
      </div>
    </div>
  );
}

type DeviceProps = {
  readonly session: Session;
  readonly busy: boolean;
  readonly onEnd: (session: Session) => void;
};

function Device({ session, busy, onEnd }: DeviceProps) {
  const { agent, address, lastUsedAt, current } = session;
  const name = nameOfAgent(agent);
  return (
    <li>
      <b title={agent}>{name}</b>
      <span className="soft num">
        {address}, last used <Ago iso={lastUsedAt} />
      </span>
      {current ? (
        <span className={styles.here}>This device</span>
      ) : (
        <Button
          variant="subtle"
          size="xs"
          disabled={busy}
          aria-label={`Sign out ${name}`}
          onClick={() => onEnd(session)}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
