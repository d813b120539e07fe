import type { ReactNode } from 'react';
import { useTitle } from '../lib';
import styles from './screen.module.css';

type Props = { readonly title: string; readonly children: ReactNode; readonly action: ReactNode };

/** A page that is only a message and a way on. */
export function Screen({ title, children, action }: Props) {
  useTitle(title);
  return (
    <main className={styles.screen}>
      <h1>{title}</h1>
      <p>{children}</p>
      {action}
    </main>
  );
}
