import { Button } from '@mantine/core';
import { Suspense, useState, type ReactNode } from 'react';
import { api, everything, useAppDispatch, useAppSelector, useSecondFactorQuery } from '../../api';
import { SignInAgain } from '../../features/auth';
import { RecoveryCodes, SetUpFirst } from '../../features/second-factor';
import { useTitle } from '../../lib';
import { Logo } from '../../ui';
import { useLogout } from '../shell';
import styles from './second-factor-first.module.css';

const TITLE = 'Set up your second factor';
/** How often the page asks whether the set-up is still due, in milliseconds: it may be done elsewhere. */
const ASK_MS = 10_000;

/**
 * Shows an admin who needs a second factor first its set-up and nothing else, until the recovery codes are kept. The server
 * refuses such an admin everything else; this only chooses the screen.
 */
export default function SecondFactorFirst({ children }: { readonly children: ReactNode }) {
  const { data, isLoading } = useSecondFactorQuery();
  const expired = useAppSelector((state) => state.session.phase === 'expired');
  const dispatch = useAppDispatch();
  const [codes, setCodes] = useState<readonly string[]>();
  const goOn = () => {
    setCodes(undefined);
    // What was refused before is asked for anew.
    dispatch(api.util.invalidateTags([...everything]));
  };
  if (codes !== undefined)
    return (
      <Page>
        <RecoveryCodes codes={codes} onDone={goOn} />
      </Page>
    );
  if (data?.isDue === true)
    return (
      <Page>
        <SetUpFirst onCodes={setCodes} askMs={ASK_MS} />
      </Page>
    );
  // Whoever has to sign in again is asked to on the page itself; what was asked for waits for that.
  return isLoading && !expired ? null : children;
}

function Page({ children }: { readonly children: ReactNode }) {
  useTitle(TITLE);
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
      <h1>{TITLE}</h1>
      <p className="soft">Admins need one here. As soon as yours is on, you have everything else.</p>
      {children}
      {expired && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </main>
  );
}
