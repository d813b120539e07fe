import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line';
import { Link } from 'react-router';
import { useUser } from '../../api';
import { OpenRequests } from '../../features/requests';
import { fundHistoryOf, paths, transferHistoryOf, withdrawalHistoryOf } from '../paths';
import { useScreen } from '../shell';
import styles from './new-request.module.css';

/** What can be asked for: its form, what it does, and where earlier ones are. */
const choices = [
  {
    title: 'Fund',
    what: 'Pay in, show the evidence, and the wallet goes up once it is confirmed.',
    icon: ArrowDownToLine,
    form: paths.fund,
    history: fundHistoryOf,
    past: 'Fund Request History',
  },
  {
    title: 'Withdraw',
    what: 'Have money paid out to your wallet address.',
    icon: ArrowUpFromLine,
    form: paths.withdraw,
    history: withdrawalHistoryOf,
    past: 'Withdrawal Request History',
  },
  {
    title: 'Transfer',
    what: 'Send money to a customer here or to a bank.',
    icon: ArrowLeftRight,
    form: paths.transfer,
    history: transferHistoryOf,
    past: 'Transfer History',
  },
] as const;

/** `/auth/loan/dashboard`: what can be asked for, and what was asked for and waits. */
export default function NewRequest() {
  useScreen('New Request');
  const { userId } = useUser();
  return (
    <>
      <ul className={styles.choices}>
        {choices.map(({ title, what, icon: Icon, form, history, past }) => (
          <li key={title} className="card">
            <Link className={styles.choice} to={form}>
              <Icon className="icon" />
              <b>{title}</b>
              <span className="soft">{what}</span>
            </Link>
            <Link className={`action ${styles.past ?? ''}`} to={history(userId)}>
              {past}
            </Link>
          </li>
        ))}
      </ul>
      <OpenRequests userId={userId} action={null} />
    </>
  );
}
