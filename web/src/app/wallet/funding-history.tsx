import { useParams } from 'react-router';
import { useUser } from '../../api';
import { RequestDialog, RequestList } from '../../features/requests';
import { Forbidden } from '../forbidden';
import { useScreen } from '../shell';

function History({ userId, title }: { readonly userId: string; readonly title: string }) {
  useScreen(title);
  return (
    <RequestList
      userId={userId}
      forAdmin={false}
      dialog={(row, close) => (
        <RequestDialog {...row} title="Fund request" forAdmin={false} onClose={close} />
      )}
    />
  );
}

/** `/fund-request-history/:userId`, and for a customer `/auth/transaction/dashboard`. */
export default function FundingHistory() {
  const user = useUser();
  const { userId } = useParams();
  if (userId === undefined) return <History userId={user.userId} title="Funding History" />;
  // The server refuses it as well; asking would only show its refusal later.
  if (user.role !== 'admin' && userId !== user.userId) return <Forbidden />;
  return <History userId={userId} title="Fund Request History" />;
}
