import type { ReactNode } from 'react';
import styles from './request-list.module.css';

type Props = {
  /** How many new rows wait to be let in. */
  readonly waiting: number;
  readonly onShowNew: () => void;
  readonly children: ReactNode;
};

/** What stands above a list: what it is narrowed by, and the way to its new rows. */
export function ListBar({ waiting, onShowNew, children }: Props) {
  return (
    <div className={styles.bar}>
      {children}
      <span className={styles.grow} />
      <span role="status">
        {waiting > 0 && (
          <button type="button" className={styles.fresh} onClick={onShowNew}>
            {waiting} new
          </button>
        )}
      </span>
    </div>
  );
}
