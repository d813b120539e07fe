import type { RequestStatus } from '#contracts';
import styles from './status.module.css';

export type StatusShown = RequestStatus | 'decided' | 'updating';

const looks: Readonly<Record<StatusShown, string | undefined>> = {
  Pending: styles.wait,
  confirmed: styles.credit,
  rejected: styles.debit,
  decided: styles.plain,
  updating: styles.plain,
};

/**
 * How a request stands, in a word with a colour beside it. `decided` is for one whose outcome isn't known here, `updating`
 * for one that was changed from here and isn't shown as it is now yet.
 */
export function Status({ status }: { readonly status: StatusShown }) {
  return <span className={`${styles.status} ${looks[status] ?? ''}`}>{status}</span>;
}
