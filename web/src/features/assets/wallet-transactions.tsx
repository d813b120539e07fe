import { PAGE_SIZE, type PaymentCurrency, type TransactionView } from '#contracts';
import { detailOf, useOwnTransactionsQuery } from '../../api';
import { displayMoney, exactMoney, signedMoney } from '../../lib';
import { Dialog, LoadFailed, Notice, Pager, Skeleton, When } from '../../ui';
import styles from './assets.module.css';

const SKELETON_ROWS = 5;

type Props = {
  readonly userId: string;
  readonly currency: PaymentCurrency;
  readonly cursor: string | undefined;
  readonly onGo: (cursor: string) => void;
  readonly onClose: () => void;
};

/** What moved a wallet, newest first, with what each movement left. */
export function WalletTransactions({ userId, currency, cursor, onGo, onClose }: Props) {
  const { data, error, refetch } = useOwnTransactionsQuery({ userId, currency, cursor, limit: PAGE_SIZE });
  return (
    <Dialog title={`${currency} transactions`} width={600} onClose={onClose}>
      <div className={styles.body} aria-busy={data === undefined && error === undefined}>
        {data === undefined && error !== undefined && (
          <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
        )}
        {data?.items.length === 0 && (
          <Notice title="No logs available.">Nothing has moved this wallet yet.</Notice>
        )}
        <ul className={styles.lines}>
          {data === undefined && error === undefined && <Skeletons />}
          {data?.items.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
        {data !== undefined && (
          <Pager
            first={data.first}
            count={data.items.length}
            previous={data.previous}
            next={data.next}
            onGo={onGo}
          />
        )}
      </div>
    </Dialog>
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
