import { Button } from '@mantine/core';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton';
import styles from './data-table.module.css';

/**
 * Where a column stands on a phone, whose rows are who or what and how much, then a line for each `more`, then date and
 * state. A `serial` number stands on a desk only.
 */
export type DataPlace = 'serial' | 'lead' | 'figure' | 'more' | 'date' | 'state';

export type DataColumn<Row> = {
  readonly head: string;
  readonly place: DataPlace;
  /** Of what is not there yet. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
};

type Opening<Row> = {
  /** What opens a row is called; for somebody who hears it, with what the row is about. */
  readonly word: string;
  readonly name: (row: Row) => string;
  readonly open: (row: Row) => void;
};

type Props<Row> = {
  /** What is listed, for somebody who hears it. */
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  /** Undefined as long as they are not there. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly selected?: string | undefined;
  /** Where a row opens, the whole of it does on a phone. */
  readonly opens?: Opening<Row>;
  /** What else can be done with a row. */
  readonly act?: (row: Row) => ReactNode;
  readonly skeletonRows?: number;
};

const SKELETON_ROWS = 10;

/** Rows of anything. On a phone a row is two lines, or more where there is more to say. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, selected, opens, act, skeletonRows = SKELETON_ROWS } = props;
  const hasActs = opens !== undefined || act !== undefined;
  return (
    <table
      className={`two-line ${styles.table ?? ''}`}
      aria-label={label}
      aria-busy={rows === undefined}
      data-opens={opens !== undefined}
    >
      <thead>
        <tr>
          {columns.map(({ head, place }) => (
            <th key={head} scope="col" className={styles[place]}>
              {head}
            </th>
          ))}
          {hasActs && (
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows === undefined &&
          Array.from({ length: skeletonRows }, (_, at) => (
            <tr key={at}>
              {columns.map(({ head, place, width }) => (
                <td key={head} className={styles[place]}>
                  <Skeleton width={width} />
                </td>
              ))}
              {hasActs && <td className={styles.act} />}
            </tr>
          ))}
        {rows?.map((row) => (
          <tr key={keyOf(row)} data-selected={keyOf(row) === selected}>
            {columns.map(({ head, place, cell }) => (
              <td key={head} className={`${styles[place] ?? ''} ${place === 'figure' ? 'num' : ''}`}>
                {cell(row)}
              </td>
            ))}
            {hasActs && (
              <td className={styles.act}>
                {act?.(row)}
                {opens !== undefined && <Open row={row} opens={opens} />}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Open<Row>({ row, opens }: { readonly row: Row; readonly opens: Opening<Row> }) {
  return (
    <Button
      variant="subtle"
      size="xs"
      className={styles.open ?? ''}
      aria-label={`${opens.word} ${opens.name(row)}`}
      onClick={() => opens.open(row)}
    >
      <span className={styles.word}>{opens.word}</span>
      <ChevronRight className={`icon small ${styles.arrow ?? ''}`} />
    </Button>
  );
}
