import { Button } from '@mantine/core';
import { useSessionClient } from '../../api';
import { Dialog } from '../../ui';
import { SignInForm } from './sign-in-form';
import styles from './sign-in-again.module.css';

/** Stands over the page when the session is over, and leaves what was typed there as it is. */
export default function SignInAgain({ email }: { readonly email?: string | undefined }) {
  const session = useSessionClient();
  return (
    <Dialog title="Your session is over" width={420} closable={false} onClose={() => undefined}>
      <div className={styles.body}>
        <p className="soft">Sign in again to go on where you were. What you typed is still there.</p>
        <SignInForm email={email} />
        <Button variant="subtle" fullWidth onClick={() => session.end()}>
          Leave without signing in
        </Button>
      </div>
    </Dialog>
  );
}
