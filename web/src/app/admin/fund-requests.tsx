import { fundDesk, RequestDesk } from '../../features/desk';
import { OfAnyone } from './of-anyone';

/** `/fund-request-history/:userId` for an admin. */
export default function FundRequests() {
  return (
    <OfAnyone title="Fund Request History">
      {(userId) => <RequestDesk kind={fundDesk} userId={userId} />}
    </OfAnyone>
  );
}
