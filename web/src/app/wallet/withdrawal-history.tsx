import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { RequestDialog, RequestList, withdrawals } from '../../features/requests';
import { paths } from '../paths';
import { OfPerson } from './of-person';

/** `/withdrawal-request-history/:userId` */
export default function WithdrawalHistory() {
  return (
    <OfPerson title="Withdrawal Request History">
      {(userId) => (
        <RequestList
          kind={withdrawals}
          userId={userId}
          forAdmin={false}
          toFirst={
            <Button component={Link} variant="default" size="xs" to={paths.withdraw}>
              Withdraw
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
