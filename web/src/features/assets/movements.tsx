import type { TransactionView } from '#contracts';
import { displayMoney, exactMoney, signedMoney } from '../../lib';
import { Skeleton, When } from '../../ui';
import styles from './assets.module.css';

const SKELETON_ROWS = 5;

/** Movements, newest first, with what each left of its wallet; their places while they are not known yet. */
export function Movements({ lines }: { readonly lines: readonly TransactionView[] | undefined }) {
  return (
    <ul className={styles.lines}>
      {lines === undefined ? <Skeletons /> : lines.map((line) => <Line key={line.id} line={line} />)}
    </ul>
  );
}

function Line({ line }: { readonly line: TransactionView }) {
  const { type, amount, converted, currency, currencyBalance, created, description } = line;
  const sign = type === 'debit' ? '-' : '';
  return (
    <li>
      <b>{description}</b>
      <b className={`num ${styles.end ?? ''} ${type}`}>
        {signedMoney(`${sign}${converted}`, currency)} {currency}
      </b>
      <span className="soft">
        <When iso={created} />
        <small className="num">
          , {type} of {displayMoney(amount, 'USD')} USD
        </small>
      </span>
      <small className={`faint num ${styles.end ?? ''}`}>
        {currencyBalance !== null && (
          <>
            <span className="visually-hidden">Balance </span>
            {exactMoney(currencyBalance, currency)}
          </>
        )}
      </small>
    </li>
  );
}

function Skeletons() {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <li key={row} aria-hidden="true">
      <Skeleton width="14ch" />
      <Skeleton width="9ch" />
      <Skeleton width="22ch" />
    </li>
  ));
}
