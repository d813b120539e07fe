import { PAGE_SIZE, type PaymentCurrency } from '#contracts';
import { detailOf, useOwnTransactionsQuery } from '../../api';
import { Dialog, LoadFailed, Notice, Pager } from '../../ui';
import { Movements } from './movements';
import styles from './assets.module.css';

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
  const isAway = data === undefined && error !== undefined;
  return (
    <Dialog title={`${currency} transactions`} width={600} onClose={onClose}>
      <div className={styles.body} aria-busy={data === undefined && error === undefined}>
        {isAway && <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />}
        {data?.items.length === 0 && (
          <Notice title="No logs available.">Nothing has moved this wallet yet.</Notice>
        )}
        {!isAway && <Movements lines={data?.items} />}
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
