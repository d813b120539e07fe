import { Skeleton } from './skeleton';
import styles from './sum.module.css';

/** A figure with its unit; undefined while it is not known. */
type Line = readonly [name: string, figure: string | undefined];

type Props = { readonly label: string; readonly lines: readonly Line[]; readonly total: Line };

/** A small statement: what a figure is made of, and the figure. */
export function Sum({ label, lines, total }: Props) {
  return (
    <dl className={`num ${styles.sum}`} aria-label={label}>
      {[...lines, total].map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure ?? <Skeleton width="8ch" />}</dd>
        </div>
      ))}
    </dl>
  );
}
