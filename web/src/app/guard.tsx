import { Fragment, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useAppSelector } from '../api';
import { Away } from './away';
import { loginFor } from './paths';

/** What admins have around every screen; nobody else loads its code. */
const AdminFrame = lazy(() => import('./admin/frame'));

/** Most people chose their password themselves, and need none of its code. */
const OwnPassword = lazy(() => import('./own-password'));

/**
 * Lets signed-in people through to the shell and sends everybody else to the sign-in page, and back afterwards. Whoever has a
 * password that an admin chose is asked for another one, and sees nothing else.
 */
export function RequireSession({ shell: Shell }: { readonly shell: ComponentType<{ children: ReactNode }> }) {
  const phase = useAppSelector((state) => state.session.phase);
  const Frame = useAppSelector(({ session }) => (session.user?.role === 'admin' ? AdminFrame : Fragment));
  const userId = useAppSelector(({ session }) => session.user?.userId);
  const mustChoose = useAppSelector(({ session }) => session.user !== null && session.mustChoosePassword);
  const { pathname, search } = useLocation();
  if (phase === 'restoring' || phase === 'left') return null;
  if (phase === 'away' || phase === 'crowded') return <Away why={phase} />;
  if (phase === 'signed-out') return <Navigate to={loginFor(pathname + search)} replace />;
  if (mustChoose)
    return (
      <Suspense>
        <OwnPassword key={userId} />
      </Suspense>
    );
  return (
    <Suspense>
      <Frame key={userId}>
        <Shell>
          <Suspense>
            <Outlet />
          </Suspense>
        </Shell>
      </Frame>
    </Suspense>
  );
}
