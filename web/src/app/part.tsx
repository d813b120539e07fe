import type { ReactNode } from 'react';
import styles from './part.module.css';

/** A page of settings: parts below each other. */
export function Parts({ children }: { readonly children: ReactNode }) {
  return <div className={styles.parts}>{children}</div>;
}

type PartProps = { readonly title: string; readonly what: string; readonly children: ReactNode };

/** What a page of settings has of one kind, with what it is for. */
export function Part({ title, what, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="soft">{what}</p>
      </div>
      <div className={styles.forms}>{children}</div>
    </section>
  );
}
