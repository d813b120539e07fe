import type { ReactNode } from 'react';
import { Logo } from '../../ui';
import { paths } from '../paths';
import styles from './frame.module.css';

type Props = {
  readonly title: string;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
};

/** The frame of the pages that come before a session. */
export function AuthFrame({ title, children, foot }: Props) {
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <a href={paths.site} aria-label="Lode, start page">
          <Logo />
        </a>
      </header>
      <main className={styles.main}>
        <section className={`card ${styles.card}`}>
          <h1>{title}</h1>
          {children}
        </section>
        {foot !== undefined && <p className={styles.foot}>{foot}</p>}
      </main>
    </div>
  );
}
