import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

type Props = {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly role?: 'alert' | 'status';
};

/** A short word in the place of content: nothing there, not reachable, not allowed. */
export function Notice({ title, children, action, role }: Props) {
  return (
    <div className={styles.notice} role={role}>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <p className="soft">{children}</p>}
      {action}
    </div>
  );
}

/** What stands where an answer should: what to do about it, and the way to try again. */
export function LoadFailed({
  detail,
  onRetry,
}: {
  readonly detail?: string | undefined;
  readonly onRetry: () => void;
}) {
  return (
    <Notice
      role="alert"
      title="This could not be loaded."
      action={
        <Button variant="default" size="xs" onClick={onRetry}>
          Retry
        </Button>
      }
    >
      {detail ?? 'Check your connection. If it holds, the service is away for a moment.'}
    </Notice>
  );
}
