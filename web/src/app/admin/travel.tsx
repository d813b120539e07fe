import { useCallback } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useAccountQuery } from '../../api';
import { TimeTravel, type Against } from '../../features/history';
import { Copyable, Skeleton } from '../../ui';
import { eventsOf, streamAt } from '../paths';
import { useScreen } from '../shell';
import styles from './travel.module.css';

/** Whose history it is, and the way to the events that it is made of. */
function Person({ userId }: { readonly userId: string }) {
  const { currentData, isError } = useAccountQuery({ userId });
  const { firstname = '', lastname = '', accountNumber } = currentData ?? {};
  const unnamed = isError ? 'Name not loaded' : <Skeleton width="16ch" />;
  return (
    <section className={`card ${styles.person ?? ''}`} aria-label="Person">
      <div>
        <h2>{currentData === undefined ? unnamed : `${firstname} ${lastname}`.trim() || 'Erased'}</h2>
        <p className="soft">
          {accountNumber !== undefined && <>Account {accountNumber}, </>}
          <Copyable text={userId} what="Person id" />
        </p>
      </div>
      <nav aria-label="Of this person">
        <Link className="action" to={eventsOf({ person: userId })}>
          Events
        </Link>
        <Link className="action" to={streamAt(`account-${userId}`)}>
          Stream
        </Link>
      </nav>
    </section>
  );
}

/** `/auth/audit/account/:userId`. The moment, and what it is compared with, are in the address. */
export default function Travel() {
  useScreen('Time travel');
  const { userId = '' } = useParams();
  const [search, setSearch] = useSearchParams();
  const go = useCallback(
    (changes: { readonly at?: number; readonly against?: Against }) =>
      // A step is no place to come back to: one press of Back leaves the history.
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) next.set(name, String(value));
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return (
    <>
      <Person userId={userId} />
      <TimeTravel userId={userId} search={search} onGo={go} />
    </>
  );
}
