import type { ReactNode } from 'react';
import type { AccountView } from '#contracts';
import { displayMoney } from '../../lib';
import { Skeleton } from '../../ui';
import styles from './cards.module.css';

type Props = { readonly account: AccountView | undefined; readonly action: ReactNode };

/** What has left the wallet as payouts, and what has come in as confirmed funding. */
export function TotalsCard({ account, action }: Props) {
  return (
    <section className={`card ${styles.side}`} aria-label="Total Withdrawal">
      <h2 className="label">Total Withdrawal</h2>
      <p className={`num ${styles.middle}`}>
        {account ? displayMoney(account.totals.withdrawn, 'USD') : <Skeleton width="6ch" />}{' '}
        <small>USD</small>
      </p>
      <p className={`soft num ${styles.small}`}>
        {account ? (
          `${displayMoney(account.totals.funded, 'USD')} USD funded so far`
        ) : (
          <Skeleton width="20ch" />
        )}
      </p>
      <div className={styles.wide}>{action}</div>
    </section>
  );
}
