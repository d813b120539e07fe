import { Menu } from '@mantine/core';
import LogOut from 'lucide-react/icons/log-out';
import MenuIcon from 'lucide-react/icons/menu';
import { useAppSelector, type SessionUser } from '../../api';
import { useHeading } from './heading';
import { useLogout } from './use-logout';
import { useOnline } from './use-online';
import styles from './top-bar.module.css';

const words = {
  live: 'Live',
  connecting: 'Connecting',
  reconnecting: 'Reconnecting',
  off: 'Not live',
} as const;

function LiveSign() {
  const live = useAppSelector((state) => state.sync.live);
  const behind = useAppSelector((state) => state.sync.behind.length > 0);
  const online = useOnline();
  const text = !online ? 'Offline' : behind ? 'Still catching up' : words[live];
  return (
    <span className={styles.live} data-live={online && live === 'live' && !behind} role="status">
      {text}
    </span>
  );
}

function AvatarMenu({ user }: { readonly user: SessionUser }) {
  const logout = useLogout();
  return (
    <Menu position="bottom-end" width={200} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <button type="button" className={styles.avatar} aria-label={`Account of ${user.firstname}`}>
          <span>{user.firstname.charAt(0).toUpperCase()}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <p className={styles.who}>
          {user.firstname}
          <span className="soft">{user.role === 'admin' ? 'Admin' : 'Customer'}</span>
        </p>
        <Menu.Item leftSection={<LogOut className="icon small" />} onClick={logout}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type Props = { readonly user: SessionUser; readonly menuOpen: boolean; readonly onMenu: () => void };

export function TopBar({ user, menuOpen, onMenu }: Props) {
  return (
    <header className={styles.top}>
      <button
        type="button"
        className={styles.burger}
        aria-label="Menu"
        aria-expanded={menuOpen}
        onClick={onMenu}
      >
        <MenuIcon className="icon" />
      </button>
      <h1>{useHeading()}</h1>
      <LiveSign />
      <AvatarMenu user={user} />
    </header>
  );
}
