import { useNavigate } from 'react-router';
import { useAccountQuery, useUser } from '../../api';
import { AddressForm, WithdrawalForm, WithdrawalSteps } from '../../features/withdrawal';
import { withdrawalHistoryOf } from '../paths';
import { useScreen } from '../shell';
import { Loading } from './loading';
import styles from './form-screen.module.css';

/** `/auth/withdrawal-request/dashboard`: without a saved wallet address it asks for one first. */
export default function WithdrawalRequest() {
  useScreen('Withdrawal Request');
  const { userId } = useUser();
  const navigate = useNavigate();
  const asked = useAccountQuery({ userId });
  const { data: account } = asked;
  return (
    <div className={styles.two}>
      {account === undefined ? (
        <Loading of={asked} />
      ) : account.walletAddress === null ? (
        <AddressForm {...account} isFirst />
      ) : (
        <WithdrawalForm account={account} onDone={() => void navigate(withdrawalHistoryOf(userId))} />
      )}
      <WithdrawalSteps />
    </div>
  );
}
