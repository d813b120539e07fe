import { Link, useNavigate } from 'react-router';
import { useAccountQuery, useTransferPinQuery, useUser } from '../../api';
import { PinForm } from '../../features/security';
import { TransferForm, TransferSteps } from '../../features/transfer';
import { transferHistoryOf } from '../paths';
import { useScreen } from '../shell';
import { Loading } from './loading';
import styles from './form-screen.module.css';

/** `/auth/transfer/dashboard`: without a pin that can be used it asks for one first. */
export default function Transfer() {
  useScreen('Transfer');
  const { userId } = useUser();
  const navigate = useNavigate();
  const account = useAccountQuery({ userId });
  const pin = useTransferPinQuery();
  const history = transferHistoryOf(userId);
  return (
    <div className={styles.two}>
      {account.data === undefined || pin.data === undefined ? (
        <Loading of={account.data === undefined ? account : pin} />
      ) : (
        <div>
          {pin.data.state !== 'set' && <PinForm state={pin.data.state} />}
          {/* It stays when a pin is locked by wrong tries, with what was typed. */}
          <div hidden={pin.data.state !== 'set'}>
            <TransferForm account={account.data} onDone={() => void navigate(history)} />
          </div>
        </div>
      )}
      <TransferSteps>
        <Link className="action" to={history}>
          Transfer History
        </Link>
      </TransferSteps>
    </div>
  );
}
