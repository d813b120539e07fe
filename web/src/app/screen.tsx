import type { ReactNode } from 'react';
import { useInShell, useScreen } from './shell';
import styles from './screen.module.css';

type Props = { readonly title: string; readonly children: ReactNode; readonly action: ReactNode };

/** A page that is only a message and a way on; within the shell it is a part of the page and named by the top bar. */
export function Screen({ title, children, action }: Props) {
  useScreen(title);
  const Part = useInShell() ? 'section' : 'main';
  return (
    <Part className={styles.screen}>
      {Part === 'main' && <h1>{title}</h1>}
      <p>{children}</p>
      {action}
    </Part>
  );
}
