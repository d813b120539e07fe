import { useState } from 'react';
import { useNavigate } from 'react-router';
import { mainPaymentCurrency, type PaymentCurrency } from '#contracts';
import { useUser } from '../../api';
import { FundForm, NextSteps } from '../../features/funding';
import { fundHistoryOf } from '../paths';
import { useScreen } from '../shell';
import styles from './fund-account.module.css';

/** `/auth/fund-account/dashboard` */
export default function FundAccount() {
  useScreen('Fund Wallet');
  const { userId } = useUser();
  const navigate = useNavigate();
  const [currency, setCurrency] = useState<PaymentCurrency>(mainPaymentCurrency);
  return (
    <div className={styles.two}>
      <FundForm onCurrency={setCurrency} onDone={() => void navigate(fundHistoryOf(userId))} />
      <NextSteps currency={currency} />
    </div>
  );
}
