import { useEffect, useRef } from 'react';
import { notify } from '../../ui';
import styles from './offline-notice.module.css';
import { useOnline } from './use-online';

/** Says that there is no network, on every screen, and that it is back. */
export function OfflineNotice() {
  const online = useOnline();
  const wasOffline = useRef(false);
  useEffect(() => {
    if (online && wasOffline.current) notify('You are back online.');
    wasOffline.current = !online;
  }, [online]);
  if (online) return null;
  return (
    <p className={styles.offline} role="status">
      You are offline. What you see is from before; nothing can be sent until you are back.
    </p>
  );
}
