import { Button } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query/react';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { ReceivedTransferView } from '#contracts';
import { detailOf, routes, useReceivedTransfersQuery } from '../../api';
import { displayMoney, exactMoney } from '../../lib';
import { LoadFailed, Notice, Pager, Skeleton, When } from '../../ui';
import { CsvButton } from '../csv';
import { viewOf, withCursor } from './filter';
import { ListBar } from './list-bar';
import type { Asked, Pages } from './kind';
import { useRequestList } from './use-request-list';
import bar from './request-list.module.css';
import styles from './request-table.module.css';

const ReceivedDialog = lazy(() => import('./received-dialog'));

const SKELETON_ROWS = 10;

/** What others sent to one person. */
const received: Pages<ReceivedTransferView> = {
  usePage({ userId, cursor, limit }: Asked) {
    return useReceivedTransfersQuery(userId === undefined ? skipToken : { userId, cursor, limit });
  },
};

type Props = {
  readonly userId: string;
  /** Stands above the list. */
  readonly before?: ReactNode;
};

/** What a customer got from others, newest first. The place in the list is in the address. */
export function ReceivedTransfers({ userId, before }: Props) {
  const [search, setSearch] = useSearchParams();
  const [opened, setOpened] = useState<ReceivedTransferView>();
  const { cursor } = viewOf(search);
  const asked = useRequestList(received, { userId, cursor });
  const { rows, page, waiting, isLoading, error, list, retry, showNew } = asked;
  return (
    <>
      <ListBar
        waiting={waiting}
        onShowNew={showNew}
        file={
          <CsvButton
            isThere={rows.length > 0}
            take={(download) => download(routes.receivedTransfers, { userId }, 'transfers-received.csv')}
          />
        }
      >
        {before}
      </ListBar>
      <section ref={list} tabIndex={-1} className={`card ${bar.list ?? ''}`} aria-label="Transfers received">
        {error === undefined ? (
          <>
            <table className={`two-line ${styles.table ?? ''}`} aria-busy={isLoading}>
              <Head />
              <tbody>
                {isLoading && Array.from({ length: SKELETON_ROWS }, (_, row) => <SkeletonRow key={row} />)}
                {rows.map(({ request: transfer }, index) => (
                  <Received
                    key={transfer.id}
                    transfer={transfer}
                    serial={(page?.first ?? 1) + index}
                    isSelected={transfer.id === opened?.id}
                    onOpen={() => setOpened(transfer)}
                  />
                ))}
              </tbody>
            </table>
            {page !== undefined && rows.length === 0 && (
              <Notice title="No logs available.">
                What other customers send to this account number is shown here once it has arrived.
              </Notice>
            )}
            <Pager
              first={page?.first ?? 1}
              count={rows.length}
              previous={page?.previous ?? null}
              next={page?.next ?? null}
              onGo={(to) => setSearch(withCursor(search, to))}
            />
          </>
        ) : (
          <LoadFailed detail={detailOf(error)} onRetry={retry} />
        )}
      </section>
      {opened !== undefined && (
        <Suspense>
          <ReceivedDialog transfer={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.serial}>
          S/N
        </th>
        <th scope="col">Received</th>
        <th scope="col">From</th>
        <th scope="col" className={styles.figure}>
          Amount, USD
        </th>
        <th scope="col" className={styles.figure}>
          Booked
        </th>
        <th scope="col">Narration</th>
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

type RowProps = {
  readonly transfer: ReceivedTransferView;
  readonly serial: number;
  readonly isSelected: boolean;
  readonly onOpen: () => void;
};

function Received({ transfer, serial, isSelected, onOpen }: RowProps) {
  const { from, amount, converted, currency, narration, receivedAt } = transfer;
  const dollars = displayMoney(amount, 'USD');
  return (
    <tr data-selected={isSelected}>
      <td className={`faint num ${styles.serial ?? ''}`}>{serial}</td>
      <td className={`soft ${styles.date ?? ''}`}>
        <When iso={receivedAt} />
      </td>
      <td className={styles.lead}>{from.accountName}</td>
      <td className={`num ${styles.figure ?? ''}`}>{dollars}</td>
      <td className={`num soft ${styles.more ?? ''} ${styles.booked ?? ''}`}>
        {exactMoney(converted, currency)} {currency}
      </td>
      <td className={`soft ${styles.state ?? ''} ${styles.words ?? ''}`}>{narration}</td>
      <td className={styles.act}>
        <Button
          variant="subtle"
          size="xs"
          aria-label={`View transfer of ${dollars} USD from ${from.accountName}`}
          onClick={onOpen}
        >
          <span className={styles.word}>View</span>
          <ChevronRight className={`icon small ${styles.arrow ?? ''}`} />
        </Button>
      </td>
    </tr>
  );
}

/** A row as long as its transfer is not there. */
function SkeletonRow() {
  const bar = (width: string) => <Skeleton width={width} />;
  return (
    <tr>
      <td className={styles.serial}>{bar('2ch')}</td>
      <td className={styles.date}>{bar('14ch')}</td>
      <td className={styles.lead}>{bar('14ch')}</td>
      <td className={styles.figure}>{bar('7ch')}</td>
      <td className={`${styles.more ?? ''} ${styles.booked ?? ''}`}>{bar('12ch')}</td>
      <td className={styles.state}>{bar('10ch')}</td>
      <td className={styles.act}>{bar('6ch')}</td>
    </tr>
  );
}
