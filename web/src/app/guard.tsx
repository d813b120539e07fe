import { Fragment, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useAppSelector } from '../api';
import { Away } from './away';
import { loginFor } from './paths';

/** Admins alone can be asked for a second factor, and nobody else loads its code. */
const SecondFactorFirst = lazy(() => import('./admin/second-factor-first'));

/** Lets signed-in people through to the shell and sends everybody else to the sign-in page, and back afterwards. */
export function RequireSession({ shell: Shell }: { readonly shell: ComponentType<{ children: ReactNode }> }) {
  const phase = useAppSelector((state) => state.session.phase);
  const First = useAppSelector(({ session }) =>
    session.user?.role === 'admin' ? SecondFactorFirst : Fragment,
  );
  const userId = useAppSelector(({ session }) => session.user?.userId);
  const { pathname, search } = useLocation();
  if (phase === 'restoring' || phase === 'left') return null;
  if (phase === 'away' || phase === 'crowded') return <Away why={phase} />;
  if (phase === 'signed-out') return <Navigate to={loginFor(pathname + search)} replace />;
  return (
    <Suspense>
      <First key={userId}>
        <Shell>
          <Suspense>
            <Outlet />
          </Suspense>
        </Shell>
      </First>
    </Suspense>
  );
}
