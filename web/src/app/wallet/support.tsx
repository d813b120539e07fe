import { ContactCard, MessageForm } from '../../features/support';
import { useScreen } from '../shell';
import styles from './form-screen.module.css';

/** `/auth/account-support/dashboard` for a customer. */
export default function Support() {
  useScreen('Support');
  return (
    <div className={styles.two}>
      <MessageForm />
      <ContactCard />
    </div>
  );
}
