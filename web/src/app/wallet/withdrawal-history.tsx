import { RequestDialog, RequestList, withdrawals } from '../../features/requests';
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
          dialog={(row, close) => (
            <RequestDialog {...row} title="Transaction Details" forAdmin={false} onClose={close} />
          )}
        />
      )}
    </OfPerson>
  );
}
