import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import List from 'lucide-react/icons/list';
import type { ComponentType } from 'react';
import type { SessionUser } from '../../api';
import { paths } from '../paths';

export type Place = {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ className?: string }>;
};

const places: Readonly<Record<SessionUser['role'], readonly Place[]>> = {
  user: [
    { to: paths.dashboard, label: 'Dashboard', icon: LayoutDashboard },
    { to: paths.transactions, label: 'Funding History', icon: List },
    { to: paths.fund, label: 'Fund Account', icon: ArrowDownToLine },
  ],
  admin: [
    { to: paths.dashboard, label: 'Dashboard', icon: LayoutDashboard },
    { to: paths.transactions, label: 'Funds Management', icon: ArrowDownToLine },
  ],
};

const actions: Readonly<Record<SessionUser['role'], readonly Place[]>> = {
  user: [
    { to: paths.fund, label: 'Fund', icon: ArrowDownToLine },
    { to: paths.transactions, label: 'Transaction', icon: List },
  ],
  admin: [{ to: paths.transactions, label: 'Funds', icon: ArrowDownToLine }],
};

/** The most places that a phone's bottom bar has room for. */
const BAR_PLACES_MAX = 4;

/** The side menu of a role: only screens that exist. */
export function placesOf(role: SessionUser['role']): readonly Place[] {
  return places[role];
}

/** The dashboard's quick actions of a role. */
export function quickActionsOf(role: SessionUser['role']): readonly Place[] {
  return actions[role];
}

/** A phone's bottom bar: the way home, then the first quick actions. */
export function barOf(role: SessionUser['role']): readonly Place[] {
  return [...places[role].slice(0, 1), ...actions[role]].slice(0, BAR_PLACES_MAX);
}
