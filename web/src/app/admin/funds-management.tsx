import { fundRequests, RequestList } from '../../features/requests';
import { useScreen } from '../shell';
import { TransactionAction } from './decision';

/** `/auth/transaction/dashboard` for an admin. */
export default function FundsManagement() {
  useScreen('Funds Management');
  return (
    <RequestList
      kind={fundRequests}
      forAdmin
      dialog={(row, close) => <TransactionAction key={row.request.id} row={row} onClose={close} />}
    />
  );
}
