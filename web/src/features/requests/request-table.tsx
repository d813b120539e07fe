import { Button } from '@mantine/core';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { isSettling, useAppSelector } from '../../api';
import { displayMoney } from '../../lib';
import { Ago, Skeleton, Status, When, type StatusShown } from '../../ui';
import type { Column, Kind, Listed } from './kind';
import type { Row } from './use-request-list';
import styles from './request-table.module.css';

const SKELETON_ROWS = 10;

type Props<Request extends Listed> = {
  /** Between when it was asked for and how it stands. */
  readonly columns: readonly Column<Request>[];
  readonly rows: readonly Row<Request>[];
  readonly first: number;
  readonly isLoading: boolean;
  /** Shows whose request it is. */
  readonly forAdmin: boolean;
  readonly besideStatus?: Kind<Request>['besideStatus'] | undefined;
  /** Shows that it can be decided. */
  readonly decides?: boolean;
  readonly selected?: string | undefined;
  readonly onOpen: (row: Row<Request>) => void;
  readonly skeletonRows?: number;
};

/** Requests in rows, newest first. On a phone a row is two lines, or three where there is more to say, and the whole of it opens the request. */
export function RequestTable<Request extends Listed>({
  columns,
  rows,
  first,
  isLoading,
  forAdmin,
  besideStatus,
  decides = false,
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
            besideStatus={besideStatus}
            decides={decides}
            isSelected={row.request.id === selected}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  );
}

type Columns<Request> = { readonly columns: readonly Column<Request>[] };

/** Where each column stands. A phone's second line has two places for what else there is to say. */
function placesOf<Request>(columns: readonly Column<Request>[]): readonly (string | undefined)[] {
  const isFurther = (at: number) => columns.slice(0, at).some(({ place }) => place === 'more');
  return columns.map(({ place }, at) => (place === 'more' && isFurther(at) ? styles.further : styles[place]));
}

function TableHead<Request>({ columns }: Columns<Request>) {
  const places = placesOf(columns);
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.serial}>
          S/N
        </th>
        <th scope="col">Created</th>
        {columns.map(({ head }, at) => (
          <th key={head} scope="col" className={places[at]}>
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
  const places = placesOf(columns);
  return (
    <tr>
      <td className={styles.serial}>{bar('2ch')}</td>
      <td className={styles.date}>{bar('14ch')}</td>
      {columns.map(({ head, width }, at) => (
        <td key={head} className={places[at]}>
          {bar(width)}
        </td>
      ))}
      <td className={styles.state}>{bar('8ch')}</td>
      <td className={styles.waiting}>{bar('5ch')}</td>
      <td className={styles.act}>{bar('6ch')}</td>
    </tr>
  );
}

function statusOf({ request, left }: Row<Listed>, settling: boolean): StatusShown {
  if (settling) return 'updating';
  return left && !request.closed ? 'decided' : request.status;
}

type RowProps<Request extends Listed> = Columns<Request> &
  Pick<Props<Request>, 'forAdmin' | 'besideStatus' | 'onOpen'> & {
    readonly decides: boolean;
    readonly row: Row<Request>;
    readonly serial: number;
    readonly isSelected: boolean;
  };

function RequestRow<Request extends Listed>({
  columns,
  row,
  serial,
  forAdmin,
  besideStatus,
  decides,
  isSelected,
  onOpen,
}: RowProps<Request>) {
  const { request, left } = row;
  const settling = useAppSelector((state) => isSettling(state, request.id));
  const waits = forAdmin && !request.closed && !left && !settling;
  const open = waits && decides;
  const places = placesOf(columns);
  return (
    <tr data-selected={isSelected} data-left={left}>
      <td className={`faint num ${styles.serial ?? ''}`}>{serial}</td>
      <td className={`soft ${styles.date ?? ''}`}>
        <When iso={request.createdAt} />
      </td>
      {columns.map(({ head, place, cell }, at) => (
        <td key={head} className={`${places[at] ?? ''} ${place === 'figure' ? 'num' : ''}`}>
          {cell(request)}
        </td>
      ))}
      <td className={styles.state}>
        <Status status={statusOf(row, settling)} />
        {waits && besideStatus?.(request)}
      </td>
      <td className={`soft num ${styles.waiting ?? ''}`}>
        {!request.closed && !left && <Ago iso={request.createdAt} short />}
      </td>
      <td className={styles.act}>
        <Button
          variant={open ? 'default' : 'subtle'}
          size="xs"
          aria-label={`${open ? 'Decide' : 'View'} request of ${displayMoney(request.amount, 'USD')} USD${forAdmin ? ` by ${request.customer}` : ''}`}
          onClick={() => onOpen(row)}
        >
          <span className={styles.word}>{open ? 'Decide' : 'View'}</span>
          <ChevronRight className={`icon small ${styles.arrow ?? ''}`} />
        </Button>
      </td>
    </tr>
  );
}
