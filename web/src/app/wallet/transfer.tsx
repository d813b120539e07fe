import { Link, useNavigate } from 'react-router';
import { useAccountQuery, useTransferPinQuery, useUser } from '../../api';
import { PinForm, useCanSign } from '../../features/security';
import { TransferForm, TransferSteps } from '../../features/transfer';
import { transferHistoryOf } from '../paths';
import { useScreen } from '../shell';
import { Loading } from './loading';
import styles from './form-screen.module.css';

/** `/auth/transfer/dashboard`: without a pin that can be used it asks for one first, unless a passkey can sign. */
export default function Transfer() {
  useScreen('Transfer');
  const { userId } = useUser();
  const navigate = useNavigate();
  const account = useAccountQuery({ userId });
  const pin = useTransferPinQuery();
  const canSign = useCanSign();
  const history = transferHistoryOf(userId);
  const hasPin = pin.data?.state === 'set';
  const canProve = hasPin || canSign;
  return (
    <div className={styles.two}>
      {account.data === undefined || pin.data === undefined ? (
        <Loading of={account.data === undefined ? account : pin} />
      ) : (
        <div>
          {!canProve && <PinForm state={pin.data.state} />}
          {/* It stays when a pin is locked by wrong tries, with what was typed. */}
          <div hidden={!canProve}>
            <TransferForm account={account.data} hasPin={hasPin} onDone={() => void navigate(history)} />
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
