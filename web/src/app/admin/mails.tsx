import { MailList } from '../../features/mails';
import { useScreen } from '../shell';

/** `/auth/mails/dashboard`. */
export default function Mails() {
  useScreen('Mails');
  return <MailList />;
}
