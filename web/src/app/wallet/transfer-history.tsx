import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { ReceivedTransfers, RequestDialog, RequestList, transfers } from '../../features/requests';
import { paths } from '../paths';
import { OfPerson } from './of-person';
import styles from './transfer-history.module.css';

/** `/transfer-history/:userId`; `?tab=received` is what came from others. */
export default function TransferHistory() {
  return <OfPerson title="Transfer History">{(userId) => <Transfers userId={userId} />}</OfPerson>;
}

/** Each list begins at its top, without what the other was narrowed by. */
const tabs = [
  { name: 'Sent', to: '?', tab: null },
  { name: 'Received', to: '?tab=received', tab: 'received' },
] as const;

function Transfers({ userId }: { readonly userId: string }) {
  const [search] = useSearchParams();
  const isReceived = search.get('tab') === 'received';
  const before = (
    <>
      <Button component={Link} variant="default" size="xs" to={paths.dashboard}>
        Back
      </Button>
      <nav className={styles.tabs} aria-label="Transfers">
        {tabs.map(({ name, to, tab }) => (
          <Link key={name} to={to} aria-current={(tab === 'received') === isReceived ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
    </>
  );
  if (isReceived) return <ReceivedTransfers userId={userId} before={before} />;
  return (
    <RequestList
      kind={transfers}
      userId={userId}
      forAdmin={false}
      toFirst={
        <Button component={Link} variant="default" size="xs" to={paths.transfer}>
          Send money
        </Button>
      }
      before={before}
      dialog={(row, close) => (
        <RequestDialog {...row} title="Transaction Details" forAdmin={false} onClose={close} />
      )}
    />
  );
}
