import type { ReactNode } from 'react';
import styles from './figures.module.css';

export type TwinColumn<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
};

type Props<Row> = {
  readonly label: string;
  /** The first says what a row is of; all others are figures. */
  readonly columns: readonly TwinColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
};

/** What a chart is drawn of, as a table. On a phone each figure stands with its name. */
export function Twin<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  const [first, ...figures] = columns;
  return (
    <table className={`two-line ${styles.twin ?? ''}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head }) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row" className="num">
              {first?.cell(row)}
            </th>
            {figures.map(({ head, cell }) => (
              <td key={head} className="num">
                <span className="narrow">{head} </span>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
