import { RequestDesk, withdrawalDesk } from '../../features/desk';
import { OfAnyone } from './of-anyone';

/** `/withdrawal-request-history/:userId` for an admin. */
export default function Withdrawals() {
  return (
    <OfAnyone title="Withdrawal Request History">
      {(userId) => <RequestDesk kind={withdrawalDesk} userId={userId} />}
    </OfAnyone>
  );
}
