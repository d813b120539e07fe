import type { TransactionView } from '#contracts';
import { detailOf, routes, useOwnTransactionsQuery } from '../../api';
import { exactMoney, signedMoney } from '../../lib';
import { DataTable, ListCard, LoadFailed, Notice, Pager, When, type DataColumn } from '../../ui';
import { CsvButton } from '../csv';
import styles from './people.module.css';

function signedOf({ type, amount }: TransactionView): string {
  return signedMoney(type === 'debit' ? `-${amount}` : amount, 'USD');
}

const columns: readonly DataColumn<TransactionView>[] = [
  { head: 'Created', place: 'date', width: '14ch', cell: ({ created }) => <When iso={created} /> },
  {
    head: 'Event',
    place: 'lead',
    width: '16ch',
    cell: ({ description, currency }) => (
      <>
        {description} <span className="soft">{currency}</span>
      </>
    ),
  },
  {
    head: 'Amount, USD',
    place: 'figure',
    width: '7ch',
    cell: (line) => <span className={line.type}>{signedOf(line)}</span>,
  },
  {
    head: 'Wallet after',
    place: 'state',
    width: '8ch',
    cell: ({ balance }) => balance !== null && <span className="soft num">{exactMoney(balance, 'USD')}</span>,
  },
];

type Props = {
  readonly userId: string;
  readonly cursor: string | undefined;
  readonly onGo: (cursor: string) => void;
};

/** What moved a customer's money, newest first. */
export function MovementsOf({ userId, cursor, onGo }: Props) {
  const { currentData: page, error, refetch } = useOwnTransactionsQuery({ userId, cursor });
  return (
    <ListCard
      title="History"
      action={
        <CsvButton
          isThere={(page?.items.length ?? 0) > 0}
          take={(download) => download(routes.ownTransactions, { userId }, 'transactions.csv')}
        />
      }
    >
      {page === undefined && error !== undefined ? (
        <LoadFailed detail={detailOf(error)} onRetry={() => void refetch()} />
      ) : (
        <div className={styles.history}>
          <DataTable label="Transactions" columns={columns} rows={page?.items} keyOf={({ id }) => id} />
        </div>
      )}
      {page?.items.length === 0 && <Notice title="No logs available." />}
      <Pager
        first={page?.first ?? 1}
        count={page?.items.length ?? 0}
        previous={page?.previous ?? null}
        next={page?.next ?? null}
        onGo={onGo}
      />
    </ListCard>
  );
}
