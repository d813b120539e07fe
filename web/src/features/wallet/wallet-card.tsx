import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import type { AccountView } from '#contracts';
import { isSettling, useAppSelector } from '../../api';
import { displayMoney, grouped } from '../../lib';
import { Skeleton } from '../../ui';
import { BalanceLine } from './balance-line';
import styles from './cards.module.css';

type Props = {
  readonly account: AccountView | undefined;
  readonly onWhy: () => void;
};

/**
 * The wallet: its balance, which opens the why-panel, and how much of it is free. It says so while it doesn't show yet what
 * was done from here: a balance is never guessed.
 */
export function WalletCard({ account, onWhy }: Props) {
  const settling = useAppSelector((state) => isSettling(state, 'accounts'));
  const balance = account && displayMoney(account.wallet.balance, 'USD');
  return (
    <section className={`card ${styles.wallet}`} aria-label="Wallet">
      <div className={styles.row}>
        <h2 className="label">Wallet</h2>
        <span className={`faint num ${styles.asOf}`}>
          {account && (settling ? 'updating' : `as of position ${grouped(account.position)}`)}
        </span>
      </div>
      <button
        type="button"
        className={`num ${styles.balance}`}
        disabled={balance === undefined}
        onClick={onWhy}
      >
        {balance ?? <Skeleton width="5ch" />} <small>USD</small>
        <span className={styles.hint}>
          <CircleQuestionMark className="icon small" />
          Why this balance
        </span>
      </button>
      <BalanceLine userId={account?.userId} />
      <dl className={styles.parts}>
        <div>
          <dt>Available</dt>
          <dd className="num">
            {account ? displayMoney(account.wallet.available, 'USD') : <Skeleton width="7ch" />}
          </dd>
        </div>
        <div>
          <dt>On hold</dt>
          <dd className="num">
            {account ? displayMoney(account.wallet.held, 'USD') : <Skeleton width="7ch" />}
          </dd>
        </div>
      </dl>
    </section>
  );
}
