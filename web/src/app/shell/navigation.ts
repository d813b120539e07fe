import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line';
import FileText from 'lucide-react/icons/file-text';
import History from 'lucide-react/icons/history';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import List from 'lucide-react/icons/list';
import Settings from 'lucide-react/icons/settings';
import Wallet from 'lucide-react/icons/wallet';
import type { ComponentType } from 'react';
import type { SessionUser } from '../../api';
import { assetsOf, paths, withdrawalHistoryOf } from '../paths';

export type Place = {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ className?: string }>;
};

/** The places of a role; some are somebody's own. */
type Places = Readonly<Record<SessionUser['role'], (userId: string) => readonly Place[]>>;

const places: Places = {
  user: (userId) => [
    { to: paths.dashboard, label: 'Dashboard', icon: LayoutDashboard },
    { to: paths.transactions, label: 'Funding History', icon: List },
    { to: paths.fund, label: 'Fund Account', icon: ArrowDownToLine },
    { to: withdrawalHistoryOf(userId), label: 'Withdrawal Request History', icon: ArrowUpFromLine },
    { to: assetsOf(userId), label: 'Assets', icon: Wallet },
    { to: paths.statement, label: 'Statement', icon: FileText },
    { to: paths.history, label: 'Account History', icon: History },
    { to: paths.settings, label: 'Settings', icon: Settings },
    { to: paths.support, label: 'Support', icon: LifeBuoy },
  ],
  admin: () => [
    { to: paths.dashboard, label: 'Dashboard', icon: LayoutDashboard },
    { to: paths.transactions, label: 'Funds Management', icon: ArrowDownToLine },
    { to: paths.settings, label: 'Settings', icon: Settings },
  ],
};

const actions: Places = {
  user: (userId) => [
    { to: paths.fund, label: 'Fund', icon: ArrowDownToLine },
    { to: paths.transfer, label: 'Transfer', icon: ArrowLeftRight },
    { to: paths.withdraw, label: 'Withdraw', icon: ArrowUpFromLine },
    { to: paths.transactions, label: 'Transaction', icon: List },
    { to: assetsOf(userId), label: 'Assets', icon: Wallet },
    { to: paths.support, label: 'Support', icon: LifeBuoy },
    { to: paths.settings, label: 'Settings', icon: Settings },
  ],
  admin: () => [{ to: paths.transactions, label: 'Funds', icon: ArrowDownToLine }],
};

/** How many places a phone's bottom bar has room for. */
const BAR_PLACES = 4;

/** Somebody's side menu: only screens that exist. */
export function placesOf({ role, userId }: SessionUser): readonly Place[] {
  return places[role](userId);
}

/** The quick actions of somebody's dashboard. */
export function quickActionsOf({ role, userId }: SessionUser): readonly Place[] {
  return actions[role](userId);
}

/** A phone's bottom bar: the first quick actions, after the way home where there are few. */
export function barOf(user: SessionUser): readonly Place[] {
  const first = quickActionsOf(user).slice(0, BAR_PLACES);
  return first.length === BAR_PLACES ? first : [...placesOf(user).slice(0, 1), ...first];
}
