import { Button } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import { useAppSelector } from '../api';
import { SignInAgain } from '../features/auth';
import { useTitle } from '../lib';
import { Logo } from '../ui';
import { useLogout } from './shell';
import styles from './only-this.module.css';

type Props = { readonly title: string; readonly why: string; readonly children: ReactNode };

/** The page of somebody who has one thing to do before everything else: that, and the way out. */
export function OnlyThis({ title, why, children }: Props) {
  useTitle(title);
  const logout = useLogout();
  const expired = useAppSelector((state) => state.session.phase === 'expired');
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <Logo />
        <Button variant="subtle" onClick={logout}>
          Logout
        </Button>
      </header>
      <h1>{title}</h1>
      <p className="soft">{why}</p>
      {children}
      {expired && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </main>
  );
}
