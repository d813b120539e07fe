import { Fragment, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useAccountQuery, useAppSelector, useLive, useUser } from '../../api';
import { SignInAgain } from '../../features/auth';
import { forgetTold } from '../../ui';
import { BottomBar } from './bottom-bar';
import { paths } from '../paths';
import { HeadingProvider } from './heading';
import { OfflineNotice } from './offline-notice';
import { SideMenu } from './side-menu';
import { TopBar } from './top-bar';
import { useAccountDisplay } from './use-account-display';
import { useTools } from './use-tools';
import styles from './shell.module.css';

/** The frame of every signed-in screen: side menu, top bar, content, and a phone's bottom bar. */
export default function Shell({ children }: { readonly children: ReactNode }) {
  useLive();
  const user = useUser();
  const expired = useAppSelector((state) => state.session.phase === 'expired');
  const { data: account } = useAccountQuery({ userId: user.userId });
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  const language = useAccountDisplay(account);
  const { Tool, open, close } = useTools();
  useEffect(() => setMenuOpen(false), [pathname]);
  useEffect(() => forgetTold, [user.userId]);
  return (
    <HeadingProvider>
      <div className={styles.shell}>
        <a className="skip" href="#content">
          Skip to content
        </a>
        <SideMenu user={user} open={menuOpen} onClose={() => setMenuOpen(false)} />
        <div className={styles.body} inert={menuOpen}>
          <TopBar
            user={user}
            account={account}
            menuOpen={menuOpen}
            onMenu={() => setMenuOpen(true)}
            onFind={() => open('palette')}
          />
          <OfflineNotice />
          <main id="content" className={styles.main} tabIndex={-1}>
            {/* Amounts are written anew in another language; where that is chosen, what was typed stays. Another person begins anew. */}
            <Fragment key={`${user.userId} ${pathname === paths.settings ? paths.settings : language}`}>
              {children}
            </Fragment>
          </main>
          <BottomBar user={user} />
        </div>
      </div>
      {Tool !== undefined && !expired && <Tool user={user} onOpen={open} onClose={close} />}
      {expired && (
        <Suspense>
          <SignInAgain email={account?.email} />
        </Suspense>
      )}
    </HeadingProvider>
  );
}
