import type { ReactNode } from 'react';
import { NewRows } from '../../ui';
import styles from './request-list.module.css';

type Props = {
  /** How many new rows wait to be let in. */
  readonly waiting: number;
  readonly onShowNew: () => void;
  /** Takes the list away as a file. */
  readonly file: ReactNode;
  readonly children: ReactNode;
};

/** What stands above a list: what it is narrowed by, the way to its new rows, and to all of it as a file. */
export function ListBar({ waiting, onShowNew, file, children }: Props) {
  return (
    <div className={styles.bar}>
      {children}
      <span className={styles.grow} />
      <NewRows count={waiting === 0 ? '' : String(waiting)} onShow={onShowNew} />
      <span className={styles.file}>{file}</span>
    </div>
  );
}
