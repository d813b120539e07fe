import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line';
import FileText from 'lucide-react/icons/file-text';
import History from 'lucide-react/icons/history';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import List from 'lucide-react/icons/list';
import Plus from 'lucide-react/icons/plus';
import Settings from 'lucide-react/icons/settings';
import Wallet from 'lucide-react/icons/wallet';
import { createContext, useContext, type ComponentType } from 'react';
import type { SessionUser } from '../../api';
import { assetsOf, fundHistoryOf, paths, transferHistoryOf, withdrawalHistoryOf } from '../paths';
import type { FoundId } from './found-id';

export type Place = {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ className?: string }>;
  /** How much waits there. */
  readonly Count?: ComponentType;
};

/** Places below each other in the side menu, under a title where they have one. */
export type PlaceGroup = { readonly title?: string; readonly places: readonly Place[] };

/** What can be begun from anywhere, with what people call it otherwise. */
export type Begun = Place & { readonly words: string };

/** Where a role's people can go. Only screens that exist. */
export type Navigation = {
  /** The side menu. */
  readonly places: (user: SessionUser) => readonly PlaceGroup[];
  /** The quick actions of the dashboard; the first four are a phone's bottom bar. */
  readonly actions: (user: SessionUser) => readonly Place[];
  /** What the palette begins with. */
  readonly begun: readonly Begun[];
  /** Screens that the palette has beside those of the side menu. */
  readonly others: (user: SessionUser) => readonly Place[];
  /** What an id leads to that is typed into the palette, where it is not a customer's own; used as a hook. */
  readonly useFoundId?: (user: SessionUser, typed: string) => FoundId;
};

/** Where customers can go. */
export const ofCustomers: Navigation = {
  places: ({ userId }) => [
    {
      places: [
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
    },
  ],
  actions: ({ userId }) => [
    { to: paths.fund, label: 'Fund', icon: ArrowDownToLine },
    { to: paths.transfer, label: 'Transfer', icon: ArrowLeftRight },
    { to: paths.withdraw, label: 'Withdraw', icon: ArrowUpFromLine },
    { to: paths.transactions, label: 'Transaction', icon: List },
    { to: assetsOf(userId), label: 'Assets', icon: Wallet },
    { to: paths.support, label: 'Support', icon: LifeBuoy },
    { to: paths.settings, label: 'Settings', icon: Settings },
  ],
  begun: [
    { label: 'New transfer', to: paths.transfer, icon: ArrowLeftRight, words: 'send money pay' },
    { label: 'New withdrawal', to: paths.withdraw, icon: ArrowUpFromLine, words: 'take money pay out' },
    { label: 'New fund request', to: paths.fund, icon: ArrowDownToLine, words: 'put money pay in deposit' },
  ],
  others: ({ userId }) => [
    { label: 'New Request', to: paths.newRequest, icon: Plus },
    { label: 'Transfer History', to: transferHistoryOf(userId), icon: History },
    { label: 'Fund Request History', to: fundHistoryOf(userId), icon: List },
  ],
};

/** Customers' unless somebody gives another: a customer's browser has no other. */
export const NavigationContext = createContext(ofCustomers);

/** Where whoever is signed in can go. */
export function useNavigation(): Navigation {
  return useContext(NavigationContext);
}

/** How many places a phone's bottom bar has room for. */
const BAR_PLACES = 4;

/** A phone's bottom bar: the first quick actions. */
export function barOf(navigation: Navigation, user: SessionUser): readonly Place[] {
  return navigation.actions(user).slice(0, BAR_PLACES);
}
