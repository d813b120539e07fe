import { Button } from '@mantine/core';
import { displayMoney } from '#contracts';
import { formatAge, useNow } from '../../lib';
import { Skeleton, Status, When } from '../../ui';
import type { Row } from './use-request-list';
import styles from './request-table.module.css';

const SKELETON_ROWS = 10;

type Props = {
  readonly rows: readonly Row[];
  readonly first: number;
  readonly isLoading: boolean;
  /** Shows whose request it is, and that it can be decided. */
  readonly forAdmin: boolean;
  readonly selected?: string | undefined;
  readonly onOpen: (row: Row) => void;
  readonly skeletonRows?: number;
};

/** Requests in rows, newest first. A phone drops the columns that the dialog of a row shows anyway. */
export function RequestTable({
  rows,
  first,
  isLoading,
  forAdmin,
  selected,
  onOpen,
  skeletonRows = SKELETON_ROWS,
}: Props) {
  const now = useNow();
  return (
    <table className={`${styles.table} ${forAdmin ? styles.admin : styles.own}`} aria-busy={isLoading}>
      <TableHead forAdmin={forAdmin} />
      <tbody>
        {isLoading &&
          Array.from({ length: skeletonRows }, (_, row) => <SkeletonRow key={row} forAdmin={forAdmin} />)}
        {rows.map((row, index) => (
          <RequestRow
            key={row.request.id}
            row={row}
            serial={first + index}
            now={now}
            forAdmin={forAdmin}
            isSelected={row.request.id === selected}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  );
}

function TableHead({ forAdmin }: Pick<Props, 'forAdmin'>) {
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.serial}>
          S/N
        </th>
        <th scope="col" className={styles.created}>
          Created
        </th>
        {forAdmin && <th scope="col">Customer</th>}
        <th scope="col" className={styles.paid}>
          Paid in
        </th>
        <th scope="col" className={styles.figure}>
          Amount, USD
        </th>
        <th scope="col" className={styles.state}>
          Status
        </th>
        <th scope="col" className={styles.waiting}>
          Waiting
        </th>
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

/** A row as long as its request is not there. */
function SkeletonRow({ forAdmin }: Pick<Props, 'forAdmin'>) {
  const bar = (width: string) => <Skeleton width={width} />;
  return (
    <tr>
      <td className={styles.serial}>{bar('2ch')}</td>
      <td className={styles.created}>{bar('14ch')}</td>
      {forAdmin && <td>{bar('14ch')}</td>}
      <td className={styles.paid}>{bar('4ch')}</td>
      <td className={styles.figure}>{bar('7ch')}</td>
      <td className={styles.state}>{bar('8ch')}</td>
      <td className={styles.waiting}>{bar('5ch')}</td>
      <td className={styles.figure}>{bar('6ch')}</td>
    </tr>
  );
}

type RowProps = Pick<Props, 'forAdmin' | 'onOpen'> & {
  readonly row: Row;
  readonly serial: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly isSelected: boolean;
};

function RequestRow({ row, serial, now, forAdmin, isSelected, onOpen }: RowProps) {
  const { request, left } = row;
  const open = forAdmin && !request.closed && !left;
  return (
    <tr data-selected={isSelected} data-left={left}>
      <td className={`faint num ${styles.serial ?? ''}`}>{serial}</td>
      <td className={`soft ${styles.created ?? ''}`}>
        <When iso={request.createdAt} />
      </td>
      {forAdmin && <td className={styles.customer}>{request.customer}</td>}
      <td className={styles.paid}>{request.currency}</td>
      <td className={`num ${styles.figure ?? ''}`}>{displayMoney(request.amount, 'USD')}</td>
      <td className={styles.state}>
        <Status status={left && !request.closed ? 'decided' : request.status} />
      </td>
      <td className={`soft num ${styles.waiting ?? ''}`}>
        {request.closed || left ? '' : formatAge(request.createdAt, now)}
      </td>
      <td className={styles.figure}>
        <Button
          variant={open ? 'default' : 'subtle'}
          size="xs"
          aria-label={`${open ? 'Decide' : 'View'} request of ${displayMoney(request.amount, 'USD')} USD${forAdmin ? ` by ${request.customer}` : ''}`}
          onClick={() => onOpen(row)}
        >
          {open ? 'Decide' : 'View'}
        </Button>
      </td>
    </tr>
  );
}
