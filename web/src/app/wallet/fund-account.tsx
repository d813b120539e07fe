import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { mainPaymentCurrency, type PaymentCurrency } from '#contracts';
import { useUser } from '../../api';
import { DepositAddress, FundForm, FundingSteps } from '../../features/funding';
import { fundHistoryOf, paths } from '../paths';
import { useScreen } from '../shell';
import styles from './form-screen.module.css';

/** `/auth/fund-account/dashboard` */
export default function FundAccount() {
  useScreen('Fund Wallet');
  const { userId } = useUser();
  const navigate = useNavigate();
  const [currency, setCurrency] = useState<PaymentCurrency>(mainPaymentCurrency);
  return (
    <div className={styles.two}>
      <FundForm onCurrency={setCurrency} onDone={() => void navigate(fundHistoryOf(userId))}>
        <DepositAddress
          currency={currency}
          support={
            <Link className="action" to={paths.support}>
              Write to support
            </Link>
          }
        />
      </FundForm>
      <FundingSteps currency={currency} />
    </div>
  );
}
