import MenuIcon from 'lucide-react/icons/menu';
import Search from 'lucide-react/icons/search';
import type { AccountView } from '#contracts';
import { useAppSelector, type SessionUser } from '../../api';
import { NotificationBell } from '../../features/notifications';
import { useFocusAfter } from '../../ui';
import { Avatar } from './avatar';
import { useHeading } from './heading';
import { paletteKeys } from './keys';
import { useOnline } from './use-online';
import styles from './top-bar.module.css';

const words = {
  live: 'Live',
  connecting: 'Connecting',
  // As short as the others: a phone's bar has room for no more beside the page's name.
  reconnecting: 'Not live',
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

type Props = {
  readonly user: SessionUser;
  readonly account: AccountView | undefined;
  readonly menuOpen: boolean;
  readonly onMenu: () => void;
  readonly onFind: () => void;
};

export function TopBar({ user, account, menuOpen, onMenu, onFind }: Props) {
  const burger = useFocusAfter(menuOpen);
  return (
    <header className={styles.top}>
      <button
        ref={burger}
        type="button"
        className={styles.burger}
        aria-label="Menu"
        aria-expanded={menuOpen}
        onClick={onMenu}
      >
        <MenuIcon className="icon" />
      </button>
      <h1>{useHeading()}</h1>
      <button
        type="button"
        className={styles.find}
        aria-haspopup="dialog"
        aria-keyshortcuts={paletteKeys.told}
        onClick={onFind}
      >
        <Search className="icon small" />
        <span>Find a page or action</span>
        <kbd aria-hidden="true">{paletteKeys.shown}</kbd>
      </button>
      <LiveSign />
      {user.role === 'user' &&
        (account === undefined ? <span className={styles.bell} /> : <NotificationBell account={account} />)}
      <Avatar user={user} image={account?.image ?? null} />
    </header>
  );
}
