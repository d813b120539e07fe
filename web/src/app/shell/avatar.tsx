import { useState, type ComponentType } from 'react';
import type { SessionUser } from '../../api';
import { AvatarFace } from './avatar-face';
import styles from './top-bar.module.css';

type Props = { readonly user: SessionUser };

const loadMenu = () => import('./avatar-menu');
/** A failed download is tried again by the next press. */
const preload = () => void loadMenu().catch(() => undefined);

/** The person's button in the top bar. The code of its menu comes when somebody reaches for it. */
export function Avatar({ user }: Props) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  if (Loaded !== undefined) return <Loaded user={user} />;
  const open = () =>
    void loadMenu().then(
      ({ AvatarMenu }) => setLoaded(() => AvatarMenu),
      () => undefined,
    );
  return (
    <button
      type="button"
      className={styles.avatar}
      aria-label={`Account of ${user.firstname}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        open();
      }}
    >
      <AvatarFace user={user} />
    </button>
  );
}
