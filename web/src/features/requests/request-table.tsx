import { Button } from '@mantine/core';
import { displayMoney } from '../../lib';
import { Ago, Skeleton, Status, When } from '../../ui';
import type { Column, Listed } from './kind';
import type { Row } from './use-request-list';
import styles from './request-table.module.css';

const SKELETON_ROWS = 10;

type Props<Request extends Listed> = {
  /** Between when it was asked for and how it stands. */
  readonly columns: readonly Column<Request>[];
  readonly rows: readonly Row<Request>[];
  readonly first: number;
  readonly isLoading: boolean;
  /** Shows whose request it is, and that it can be decided. */
  readonly forAdmin: boolean;
  readonly selected?: string | undefined;
  readonly onOpen: (row: Row<Request>) => void;
  readonly skeletonRows?: number;
};

/** Requests in rows, newest first. On a phone a row is two lines: what and how much, then date and status. */
export function RequestTable<Request extends Listed>({
  columns,
  rows,
  first,
  isLoading,
  forAdmin,
  selected,
  onOpen,
  skeletonRows = SKELETON_ROWS,
}: Props<Request>) {
  return (
    <table className={`two-line ${styles.table ?? ''}`} aria-busy={isLoading}>
      <TableHead columns={columns} />
      <tbody>
        {isLoading &&
          Array.from({ length: skeletonRows }, (_, row) => <SkeletonRow key={row} columns={columns} />)}
        {rows.map((row, index) => (
          <RequestRow
            key={row.request.id}
            columns={columns}
            row={row}
            serial={first + index}
            forAdmin={forAdmin}
            isSelected={row.request.id === selected}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  );
}

type Columns<Request> = { readonly columns: readonly Column<Request>[] };

function TableHead<Request>({ columns }: Columns<Request>) {
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.serial}>
          S/N
        </th>
        <th scope="col">Created</th>
        {columns.map(({ head, place }) => (
          <th key={head} scope="col" className={styles[place]}>
            {head}
          </th>
        ))}
        <th scope="col">Status</th>
        <th scope="col">Waiting</th>
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

/** A row as long as its request is not there. */
function SkeletonRow<Request>({ columns }: Columns<Request>) {
  const bar = (width: string) => <Skeleton width={width} />;
  return (
    <tr>
      <td className={styles.serial}>{bar('2ch')}</td>
      <td className={styles.date}>{bar('14ch')}</td>
      {columns.map(({ head, place, width }) => (
        <td key={head} className={styles[place]}>
          {bar(width)}
        </td>
      ))}
      <td className={styles.state}>{bar('8ch')}</td>
      <td className={styles.more}>{bar('5ch')}</td>
      <td className={styles.act}>{bar('6ch')}</td>
    </tr>
  );
}

type RowProps<Request extends Listed> = Columns<Request> &
  Pick<Props<Request>, 'forAdmin' | 'onOpen'> & {
    readonly row: Row<Request>;
    readonly serial: number;
    readonly isSelected: boolean;
  };

function RequestRow<Request extends Listed>({
  columns,
  row,
  serial,
  forAdmin,
  isSelected,
  onOpen,
}: RowProps<Request>) {
  const { request, left } = row;
  const open = forAdmin && !request.closed && !left;
  return (
    <tr data-selected={isSelected} data-left={left}>
      <td className={`faint num ${styles.serial ?? ''}`}>{serial}</td>
      <td className={`soft ${styles.date ?? ''}`}>
        <When iso={request.createdAt} />
      </td>
      {columns.map(({ head, place, cell }) => (
        <td key={head} className={`${styles[place] ?? ''} ${place === 'figure' ? 'num' : ''}`}>
          {cell(request)}
        </td>
      ))}
      <td className={styles.state}>
        <Status status={left && !request.closed ? 'decided' : request.status} />
      </td>
      <td className={`soft num ${styles.more ?? ''}`}>
        {!request.closed && !left && <Ago iso={request.createdAt} short />}
      </td>
      <td className={styles.act}>
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
