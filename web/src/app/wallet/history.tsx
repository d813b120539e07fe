import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { useUser } from '../../api';
import { TimeTravel, type Against } from '../../features/history';
import { useScreen } from '../shell';

/** `/auth/history/dashboard`. The moment, and what it is compared with, are in the address. */
export default function History() {
  useScreen('Account History');
  const { userId } = useUser();
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
  return <TimeTravel userId={userId} search={search} onGo={go} />;
}
