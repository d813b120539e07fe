import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RequestDialog, RequestList, transfers } from '../../features/requests';
import { paths } from '../paths';
import { OfPerson } from './of-person';

/** `/transfer-history/:userId` */
export default function TransferHistory() {
  return (
    <OfPerson title="Transfer History">
      {(userId) => (
        <RequestList
          kind={transfers}
          userId={userId}
          forAdmin={false}
          toFirst={
            <Button component={Link} variant="default" size="xs" to={paths.transfer}>
              Send money
            </Button>
          }
          before={
            <Button component={Link} variant="default" size="xs" to={paths.dashboard}>
              Back
            </Button>
          }
          dialog={(row, close) => (
            <RequestDialog {...row} title="Transaction Details" forAdmin={false} onClose={close} />
          )}
        />
      )}
    </OfPerson>
  );
}
