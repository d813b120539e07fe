import type { RequestStatus } from '#contracts';
import styles from './status.module.css';

const looks: Readonly<Record<RequestStatus | 'decided', string | undefined>> = {
  Pending: styles.wait,
  confirmed: styles.credit,
  rejected: styles.debit,
  decided: styles.plain,
};

/** How a request stands, in a word with a colour beside it. `decided` is for one whose outcome isn't known here. */
export function Status({ status }: { readonly status: RequestStatus | 'decided' }) {
  return <span className={`${styles.status} ${looks[status] ?? ''}`}>{status}</span>;
}
