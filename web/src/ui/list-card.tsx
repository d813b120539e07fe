import { useId, type ReactNode } from 'react';
import styles from './list-card.module.css';

type Props = {
  readonly title: string;
  /** Stands beside the title, as a way to all of them. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

/** A card with a list that goes from edge to edge, under its title. */
export function ListCard({ title, action, children }: Props) {
  const titleId = useId();
  return (
    <section className={`card ${styles.card}`} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}
