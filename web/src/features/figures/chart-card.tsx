import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useId, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { LoadFailed, Skeleton } from '../../ui';
import styles from './figures.module.css';

/** As wide as a chart is drawn before it is known how much room there is. */
const WIDTH = 640;

export type ChartName = 'money' | 'age' | 'bonus' | 'lag' | 'commands';

type Props = {
  readonly name: ChartName;
  readonly title: string;
  /** In what the figures are, and of when. */
  readonly unit: string;
  /** Draws the chart as wide as there is room for. Undefined as long as there is nothing to draw. */
  readonly chart: ((width: number) => ReactNode) | undefined;
  /** The same as a table. */
  readonly table: ReactNode;
  /** What the chart comes to, and whatever else is to be known of it. */
  readonly children?: ReactNode;
  readonly failed?: { readonly detail: string | undefined; readonly onRetry: () => void } | undefined;
};

/**
 * A chart and its table, one of which is seen; the address says of which charts that is the table. Whoever hears the page gets the table
 * in either case, and never the drawing.
 */
export function ChartCard({ name, title, unit, chart, table, children, failed }: Props) {
  const titleId = useId();
  const { ref, width } = useElementSize();
  const [isTable, onTable] = useTable(name);
  const word = isTable ? 'As a chart' : 'As a table';
  return (
    <section className={`card ${styles.card ?? ''}`} data-chart={name} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <p className="soft">{unit}</p>
        <Button
          variant="subtle"
          size="compact-sm"
          className={`action ${styles.switch ?? ''}`}
          aria-label={`${word}: ${title}`}
          onClick={() => onTable(!isTable)}
        >
          {word}
        </Button>
      </header>
      {failed !== undefined && <LoadFailed detail={failed.detail} onRetry={failed.onRetry} />}
      {failed === undefined && (
        <div className={styles.body} aria-busy={chart === undefined}>
          {children}
          <div ref={ref} className={styles.plot} hidden={isTable}>
            {chart === undefined ? <Skeleton width="80%" /> : chart(width === 0 ? WIDTH : width)}
          </div>
          {chart !== undefined && (
            <div
              className={isTable ? styles.rows : 'visually-hidden'}
              {...(isTable && { role: 'region', 'aria-label': `${title}, table`, tabIndex: 0 })}
            >
              {table}
            </div>
          )}
        </div>
      )}
    </section>
  );
}

/** Whether the table of a chart is seen, as the address says. */
function useTable(name: ChartName): readonly [boolean, (isTable: boolean) => void] {
  const [search, setSearch] = useSearchParams();
  const tables = (search.get('tables') ?? '').split(',').filter((one) => one !== '');
  const turn = (isTable: boolean) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        const rest = tables.filter((one) => one !== name);
        const shown = isTable ? [...rest, name] : rest;
        if (shown.length === 0) next.delete('tables');
        else next.set('tables', shown.join(','));
        return next;
      },
      { replace: true },
    );
  return [tables.includes(name), turn];
}
