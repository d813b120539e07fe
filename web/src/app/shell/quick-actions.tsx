import LogOut from 'lucide-react/icons/log-out';
import { Link } from 'react-router';
import { useUser } from '../../api';
import { useNavigation } from './navigation';
import { useLogout } from './use-logout';
import styles from './quick-actions.module.css';

/** The dashboard's large buttons. */
export function QuickActions() {
  const actions = useNavigation().actions(useUser());
  const logout = useLogout();
  return (
    <nav className={styles.actions} aria-label="Actions">
      {actions.map(({ to, label, icon: Icon }) => (
        <Link key={label} to={to}>
          <Icon className="icon" />
          {label}
        </Link>
      ))}
      <button type="button" onClick={logout}>
        <LogOut className="icon" />
        Logout
      </button>
    </nav>
  );
}
