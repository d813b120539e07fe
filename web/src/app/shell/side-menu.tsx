import LogOut from 'lucide-react/icons/log-out';
import PanelLeft from 'lucide-react/icons/panel-left';
import X from 'lucide-react/icons/x';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Link, NavLink } from 'react-router';
import type { SessionUser } from '../../api';
import { Logo, Mark } from '../../ui';
import { paths } from '../paths';
import { useNavigation } from './navigation';
import { useLogout } from './use-logout';
import styles from './side-menu.module.css';

/** Remembers that a reader prefers the narrow menu; a preference, nothing more. */
const NARROW_ITEM = 'lode-menu-narrow';

type Props = {
  readonly user: SessionUser;
  /** On a phone, where the menu lies over the page. */
  readonly open: boolean;
  readonly onClose: () => void;
};

export function SideMenu({ user, open, onClose }: Props) {
  const [narrow, toggle] = useNarrow();
  return (
    <div className={styles.place} data-open={open} data-narrow={narrow}>
      <div className={styles.veil} onClick={onClose} />
      <nav
        className={styles.menu}
        aria-label="Main"
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
      >
        <Head user={user} narrow={narrow} open={open} onClose={onClose} />
        <Places user={user} narrow={narrow} onClose={onClose} />
        <End narrow={narrow} onToggle={toggle} />
      </nav>
    </div>
  );
}

/** Whether the menu is narrow, which is remembered, and how to change that. */
function useNarrow(): readonly [boolean, () => void] {
  const [narrow, setNarrow] = useState(() => localStorage.getItem(NARROW_ITEM) !== null);
  const toggle = () => {
    if (narrow) localStorage.removeItem(NARROW_ITEM);
    else localStorage.setItem(NARROW_ITEM, 'yes');
    setNarrow(!narrow);
  };
  return [narrow, toggle];
}

type Narrow = { readonly narrow: boolean };

/** The logo, and a phone's way back to the page, which has the focus once the menu is open. */
function Head({ user, narrow, open, onClose }: Props & Narrow) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (open) close.current?.focus();
  }, [open]);
  return (
    <div className={styles.head}>
      <Link
        to={user.role === 'admin' ? paths.adminDashboard : paths.dashboard}
        aria-label="Lode"
        className={styles.logo}
      >
        {narrow ? <Mark /> : <Logo />}
      </Link>
      <button ref={close} type="button" className={styles.close} aria-label="Close menu" onClick={onClose}>
        <X className="icon" />
      </button>
    </div>
  );
}

function Places({ user, narrow, onClose }: Omit<Props, 'open'> & Narrow) {
  return useNavigation()
    .places(user)
    .map(({ title, places }) => (
      <Fragment key={places[0]?.to}>
        {title !== undefined && (
          <span className={`${styles.group ?? ''} ${styles.text ?? ''}`} aria-hidden="true">
            {title}
          </span>
        )}
        <ul aria-label={title}>
          {places.map(({ to, label, icon: Icon, Count }) => (
            <li key={to}>
              <NavLink
                to={to}
                end
                className={styles.link ?? ''}
                title={narrow ? label : undefined}
                onClick={onClose}
              >
                <Icon className="icon" />
                <span className={styles.text}>{label}</span>
                {Count && <Count />}
              </NavLink>
            </li>
          ))}
        </ul>
      </Fragment>
    ));
}

function End({ narrow, onToggle }: Narrow & { readonly onToggle: () => void }) {
  const logout = useLogout();
  return (
    <div className={styles.end}>
      <button type="button" className={styles.link} onClick={logout} title={narrow ? 'Logout' : undefined}>
        <LogOut className="icon" />
        <span className={styles.text}>Logout</span>
      </button>
      <button
        type="button"
        className={`${styles.link ?? ''} ${styles.toggle ?? ''}`}
        aria-expanded={!narrow}
        onClick={onToggle}
      >
        <PanelLeft className="icon" />
        <span className={styles.text}>Collapse menu</span>
      </button>
    </div>
  );
}
