import type { ReactNode } from 'react';
import styles from './part.module.css';

/** A page of settings: parts below each other. */
export function Parts({ children }: { readonly children: ReactNode }) {
  return <div className={styles.parts}>{children}</div>;
}

type PartProps = {
  readonly title: string;
  readonly what: string;
  /** It needs all the room that there is: what it is for stands above it. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

/** What a page of settings has of one kind, with what it is for. */
export function Part({ title, what, isWide = false, children }: PartProps) {
  return (
    <section className={styles.part} data-wide={isWide} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="soft">{what}</p>
      </div>
      <div className={styles.forms}>{children}</div>
    </section>
  );
}
