import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { useAppSelector, useSessionClient } from '../api';
import { SignInAgain } from '../features/auth';
import { PasswordForm } from '../features/settings';
import { useTitle } from '../lib';
import { Logo } from '../ui';
import { useLogout } from './shell';
import styles from './own-password.module.css';

const TITLE = 'Choose your own password';

/** The one thing that somebody can do who signed in with a password that an admin chose. */
export default function OwnPassword() {
  useTitle(TITLE);
  const logout = useLogout();
  const { passwordChosen } = useSessionClient();
  const expired = useAppSelector((state) => state.session.phase === 'expired');
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <Logo />
        <Button variant="subtle" onClick={logout}>
          Logout
        </Button>
      </header>
      <h1>{TITLE}</h1>
      <p className="soft">
        The password you were given is for the first sign-in, and somebody else knows it. As soon as you have
        your own, you have everything else.
      </p>
      <PasswordForm isGiven onDone={passwordChosen} />
      {expired && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </main>
  );
}
