import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { fundRequests, RequestDialog, RequestList } from '../../features/requests';
import { paths } from '../paths';
import { OfPerson } from './of-person';

/** `/fund-request-history/:userId`, and for a customer `/auth/transaction/dashboard`. */
export default function FundingHistory() {
  const { userId: asked } = useParams();
  return (
    <OfPerson title={asked === undefined ? 'Funding History' : 'Fund Request History'}>
      {(userId) => (
        <RequestList
          kind={fundRequests}
          userId={userId}
          forAdmin={false}
          toFirst={
            <Button component={Link} variant="default" size="xs" to={paths.fund}>
              Fund your wallet
            </Button>
          }
          dialog={(row, close) => (
            <RequestDialog {...row} title="Fund request" forAdmin={false} onClose={close} />
          )}
        />
      )}
    </OfPerson>
  );
}
