import { lazy, Suspense } from 'react';
import type { AccountView } from '#contracts';

const Notice = lazy(() => import('./verify-notice'));

/** Asks whoever has not verified the e-mail address to do so; of most people its code is never loaded. */
export function VerifyEmail({ account }: { readonly account: AccountView | undefined }) {
  if (account === undefined || account.isEmailVerified) return null;
  return (
    <Suspense>
      <Notice email={account.email} verifyFirst={account.verifyFirst} />
    </Suspense>
  );
}
