import { useEffect, useRef } from 'react';
import { isServiceAway, useAppSelector } from '../../api';
import { notify } from '../../ui';
import styles from './offline-notice.module.css';
import { useOnline } from './use-online';

const offline = {
  is: 'You are offline. What you see is from before; nothing can be sent until you are back.',
  over: 'You are back online.',
} as const;
const away = {
  is: 'Lode is away for a moment. What you see is from before. This page goes on by itself.',
  over: 'Lode answers again.',
} as const;

/** Says on every screen that there is no network, or that the service is away, and when that is over. */
export function OfflineNotice() {
  const online = useOnline();
  const isAway = useAppSelector(isServiceAway);
  const now = !online ? offline : isAway ? away : undefined;
  const before = useRef(now);
  useEffect(() => {
    if (now === undefined && before.current !== undefined) notify(before.current.over);
    before.current = now;
  }, [now]);
  if (now === undefined) return null;
  return (
    <p className={styles.offline} role="status">
      {now.is}
    </p>
  );
}
