import { fundDesk, RequestDesk } from '../../features/desk';
import { useScreen } from '../shell';

/** `/auth/transaction/dashboard` for an admin. */
export default function FundsManagement() {
  useScreen('Funds Management');
  return <RequestDesk kind={fundDesk} />;
}
