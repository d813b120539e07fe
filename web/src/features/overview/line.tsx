import type { ReactNode } from 'react';
import styles from './overview.module.css';

type LineProps = {
  readonly kind: string;
  readonly what: ReactNode;
  readonly state: ReactNode;
  readonly waits?: ReactNode;
  readonly act?: ReactNode;
};

/** One thing that needs somebody: what kind of thing, what it is about, how it stands, and what can be done. */
export function Line({ kind, what, state, waits, act }: LineProps) {
  return (
    <li className={styles.line}>
      <span className={`soft ${styles.kind ?? ''}`}>{kind}</span>
      <span className={styles.what}>{what}</span>
      <span className={styles.state}>{state}</span>
      <span className={`soft num ${styles.waits ?? ''}`}>{waits}</span>
      <span className={styles.act}>{act}</span>
    </li>
  );
}
