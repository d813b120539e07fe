import { Fragment } from 'react';
import type { Fact } from './facts';
import styles from './request-dialog.module.css';

/** What there is to say of something, line by line. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, what]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd className={styles.whole}>{what}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
