import { NavLink } from 'react-router';
import type { SessionUser } from '../../api';
import { barOf, useNavigation } from './navigation';
import styles from './bottom-bar.module.css';

/** A phone's bar under the thumb. */
export function BottomBar({ user }: { readonly user: SessionUser }) {
  return (
    <nav className={styles.bar} aria-label="Quick actions">
      {barOf(useNavigation(), user).map(({ to, label, icon: Icon }) => (
        <NavLink key={to} to={to} end>
          <Icon className="icon" />
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
