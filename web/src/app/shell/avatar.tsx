import { useState, type ComponentProps, type ComponentType } from 'react';
import { AvatarFace } from './avatar-face';
import styles from './top-bar.module.css';

type Props = ComponentProps<typeof AvatarFace>;

const loadMenu = () => import('./avatar-menu');
/** A failed download is tried again by the next press. */
const preload = () => void loadMenu().catch(() => undefined);

/** The person's button in the top bar. The code of its menu comes when somebody reaches for it. */
export function Avatar(props: Props) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  if (Loaded !== undefined) return <Loaded {...props} />;
  const open = () =>
    void loadMenu().then(
      ({ AvatarMenu }) => setLoaded(() => AvatarMenu),
      () => undefined,
    );
  return (
    <button
      type="button"
      className={styles.avatar}
      aria-label={`Account of ${props.user.firstname}`}
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
      <AvatarFace {...props} />
    </button>
  );
}
