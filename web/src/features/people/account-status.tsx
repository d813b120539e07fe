import type { PersonView } from '#contracts';
import styles from './people.module.css';

export type AccountStatus = PersonView['status'];

export const statusNames: Readonly<Record<AccountStatus, string>> = {
  active: 'Active',
  suspended: 'Suspended',
  closed: 'Closed',
};

/** How an account stands, in a word: only what keeps somebody out has a colour. */
export function AccountStatusWord({ status }: { readonly status: AccountStatus }) {
  return (
    <span className={styles.state} data-status={status}>
      {statusNames[status]}
    </span>
  );
}
