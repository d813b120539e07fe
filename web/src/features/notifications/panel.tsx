import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { AccountView, NotificationView } from '#contracts';
import { detailOf, useNotificationsInfiniteQuery, useReadNotificationsMutation } from '../../api';
import { useKey } from '../../lib';
import { Ago, Dialog, LoadFailed, Notice, Skeleton, useTold } from '../../ui';
import styles from './notifications.module.css';
import { isUnread } from './unread';

/** In pixels. */
const WIDTH = 520;
const SKELETON_ROWS = 4;

type Props = { readonly account: AccountView; readonly onClose: () => void };

/** What was decided, booked, and changed of how the account is guarded, newest first. Whatever is shown counts as read; what was not before stays marked while this is open. */
export default function Panel({ account, onClose }: Props) {
  const { userId, notificationsRead } = account;
  const [readBefore] = useState(notificationsRead);
  const { data, error, isLoading, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useNotificationsInfiniteQuery({ userId });
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  useReadUpTo(account, items[0]);
  return (
    <Dialog title="Notifications" width={WIDTH} onClose={onClose}>
      <div className={styles.body} aria-busy={isLoading}>
        <Told />
        {isLoading && (
          <div className={styles.loading}>
            {Array.from({ length: SKELETON_ROWS }, (_, row) => (
              <Skeleton key={row} width="32ch" />
            ))}
          </div>
        )}
        {data === undefined && error !== undefined && (
          <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
        )}
        {data !== undefined && items.length === 0 && (
          <Notice title="Nothing yet.">
            Decisions on your requests, credits, bonuses, and changes of what guards your account are told
            here.
          </Notice>
        )}
        {items.length > 0 && (
          <ul className={styles.list} aria-label="Notifications">
            {items.map((one) => (
              <Row key={one.id} one={one} unread={isUnread(one, readBefore)} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <div className={styles.more}>
            <Button
              variant="default"
              size="xs"
              disabled={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {isFetchingNextPage ? 'Please wait' : 'Show older'}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** What this page said in passing. */
function Told() {
  const told = useTold();
  if (told.length === 0) return null;
  return (
    <>
      <section aria-labelledby="told">
        <h3 id="told" className={`label ${styles.part ?? ''}`}>
          Said since this page was opened
        </h3>
        <ul className={styles.list}>
          {told.map(({ id, message, at }) => (
            <li key={id}>
              <p>{message}</p>
              <p className="soft num">
                <Ago iso={at} />
              </p>
            </li>
          ))}
        </ul>
      </section>
      <h3 className={`label ${styles.part ?? ''}`}>Of your account</h3>
    </>
  );
}

/** Tells the account that the newest was read, once for each that is. */
function useReadUpTo({ userId, notificationsRead }: AccountView, newest: NotificationView | undefined) {
  const [read] = useReadNotificationsMutation();
  const key = useKey();
  const position = newest !== undefined && isUnread(newest, notificationsRead) ? newest.position : undefined;
  useEffect(() => {
    if (position !== undefined) void read({ userId, position, idempotencyKey: key.of({ position }) });
  }, [userId, position, read, key]);
}

function Row({ one, unread }: { readonly one: NotificationView; readonly unread: boolean }) {
  return (
    <li data-unread={unread}>
      <p>
        {unread && <span className="visually-hidden">Unread: </span>}
        {one.sentence}
      </p>
      {one.reason !== null && <p className="soft">{one.reason}</p>}
      <p className="soft num">
        <Ago iso={one.created} />
      </p>
    </li>
  );
}
