import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { useAppSelector } from '../../api';
import { SignInAgain } from '../../features/auth';
import { RecoveryCodes, SetUpFirst } from '../../features/second-factor';
import { useTitle } from '../../lib';
import { Logo } from '../../ui';
import { useLogout } from '../shell';
import styles from './second-factor-first.module.css';

const TITLE = 'Set up your second factor';
/** How often the page asks whether the set-up is still due, in milliseconds: it may be done elsewhere. */
const ASK_MS = 10_000;

type Props = {
  /** The recovery codes, once there are some. */
  readonly codes: readonly string[] | undefined;
  readonly onCodes: (codes: readonly string[]) => void;
  /** The codes are kept. */
  readonly onDone: () => void;
};

/** The set-up of a second factor on a page of its own, and the recovery codes that come of it. */
export default function SecondFactorSetUp({ codes, onCodes, onDone }: Props) {
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
      {codes === undefined ? (
        <SetUpFirst onCodes={onCodes} askMs={ASK_MS} />
      ) : (
        <RecoveryCodes codes={codes} onDone={onDone} />
      )}
      {expired && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </main>
  );
}
