export { ClockNotice } from './clock-notice';
import { lazy } from 'react';

/** Loaded once somebody is signed in; the pages before that don't need it. */
export const Shell = lazy(() => import('./shell'));
export { useInShell, useScreen } from './heading';
export { NavigationContext } from './navigation';
export { navigationOfAdmins } from './navigation-of-admins';
export { QuickActions } from './quick-actions';
export { useLogout } from './use-logout';
