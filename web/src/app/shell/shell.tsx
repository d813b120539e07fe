import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useAccountQuery, useAppSelector, useLive, useUser } from '../../api';
import { SignInAgain } from '../../features/auth';
import { BottomBar } from './bottom-bar';
import { HeadingProvider } from './heading';
import { SideMenu } from './side-menu';
import { TopBar } from './top-bar';
import styles from './shell.module.css';

/** The frame of every signed-in screen: side menu, top bar, content, and a phone's bottom bar. */
export default function Shell({ children }: { readonly children: ReactNode }) {
  useLive();
  const user = useUser();
  const expired = useAppSelector((state) => state.session.phase === 'expired');
  const { data: account } = useAccountQuery({ userId: user.userId });
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => setMenuOpen(false), [pathname]);
  return (
    <HeadingProvider>
      <div className={styles.shell}>
        <a className="skip" href="#content">
          Skip to content
        </a>
        <SideMenu role={user.role} open={menuOpen} onClose={() => setMenuOpen(false)} />
        <div className={styles.body} inert={menuOpen}>
          <TopBar user={user} onMenu={() => setMenuOpen(true)} menuOpen={menuOpen} />
          <main id="content" className={styles.main} tabIndex={-1}>
            {children}
          </main>
          <BottomBar role={user.role} />
        </div>
      </div>
      {expired && (
        <Suspense>
          <SignInAgain email={account?.email} />
        </Suspense>
      )}
    </HeadingProvider>
  );
}
