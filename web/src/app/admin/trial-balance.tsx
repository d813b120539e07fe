import { TrialBalance } from '../../features/audit';
import { Verification } from '../../features/operations';
import { useScreen } from '../shell';
import { ways } from './ways';
import styles from './trial-balance.module.css';

/** `/auth/audit/trial-balance`. */
export default function TrialBalanceScreen() {
  useScreen('Trial balance');
  return (
    <>
      <TrialBalance ways={ways} />
      <div className={styles.below}>
        <Verification />
      </div>
    </>
  );
}
