import { useSearchParams } from 'react-router';
import { useUser } from '../../api';
import { StatementChoice, StatementSheet, viewOf, withView } from '../../features/statement';
import { useNow } from '../../lib';
import { useScreen } from '../shell';

/** `/auth/statement/dashboard`. Days, time zone, currency and page are in the address. */
export default function Statement() {
  useScreen('Statement');
  const { userId } = useUser();
  const [search, setSearch] = useSearchParams();
  const view = viewOf(search, useNow());
  return (
    <>
      <StatementChoice view={view} onChange={(changes) => setSearch(withView(search, changes))} />
      {view.from <= view.to && (
        <StatementSheet
          userId={userId}
          view={view}
          onGo={(cursor) => setSearch(withView(search, { cursor }))}
        />
      )}
    </>
  );
}
