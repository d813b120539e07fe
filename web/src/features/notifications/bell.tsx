import Bell from 'lucide-react/icons/bell';
import { lazy, Suspense, useState } from 'react';
import type { AccountView } from '#contracts';
import { useNotificationsInfiniteQuery } from '../../api';
import styles from './notifications.module.css';
import { isUnread } from './unread';

const Panel = lazy(() => import('./panel'));

/** The button that opens a customer's notifications, with how many of the newest were not read. */
export function NotificationBell({ account }: { readonly account: AccountView }) {
  const [open, setOpen] = useState(false);
  const { data } = useNotificationsInfiniteQuery({ userId: account.userId });
  const [newest] = data?.pages ?? [];
  const unread = newest?.items.filter((one) => isUnread(one, account.notificationsRead)).length ?? 0;
  const count = unread > 0 && unread === newest?.items.length && newest.next !== null ? `${unread}+` : unread;
  return (
    <>
      <button
        type="button"
        className={styles.bell}
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${count} unread`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Bell className="icon" />
        {unread > 0 && <span className={`num ${styles.count ?? ''}`}>{count}</span>}
      </button>
      {open && (
        <Suspense>
          <Panel account={account} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
