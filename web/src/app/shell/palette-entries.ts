import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line';
import Copy from 'lucide-react/icons/copy';
import FileSearch from 'lucide-react/icons/file-search';
import History from 'lucide-react/icons/history';
import Keyboard from 'lucide-react/icons/keyboard';
import List from 'lucide-react/icons/list';
import LogOut from 'lucide-react/icons/log-out';
import Plus from 'lucide-react/icons/plus';
import SunMoon from 'lucide-react/icons/sun-moon';
import { themes } from '#contracts';
import type { SessionUser } from '../../api';
import { themeNames, type Theme } from '../../features/settings';
import { fundHistoryOf, paths, transferHistoryOf } from '../paths';
import { placesOf, quickActionsOf, type Place } from './navigation';
import type { FoundThing } from './use-found-id';

/** What the entries of a palette do, given by whoever shows it. */
export type Acts = {
  readonly go: (to: string) => void;
  readonly choose: (theme: Theme) => void;
  readonly showShortcuts: () => void;
  /** Left out while the account is not known. */
  readonly copyNumber?: (() => void) | undefined;
  readonly logout: () => void;
};

export type Entry = {
  readonly group: 'Actions' | 'Pages' | 'Requests';
  readonly label: string;
  readonly icon: Place['icon'];
  /** Where it leads; left out where it stays. */
  readonly to?: string;
  /** What people call it otherwise. */
  readonly words: string;
  readonly run: () => void;
};

type Wording = Place & { readonly words: string };
type ByRole<What> = Readonly<Record<SessionUser['role'], What>>;

/** What can be begun from anywhere. */
const begun: ByRole<readonly Wording[]> = {
  user: [
    { label: 'New transfer', to: paths.transfer, icon: ArrowLeftRight, words: 'send money pay' },
    { label: 'New withdrawal', to: paths.withdraw, icon: ArrowUpFromLine, words: 'take money pay out' },
    { label: 'New fund request', to: paths.fund, icon: ArrowDownToLine, words: 'put money pay in deposit' },
  ],
  admin: [],
};

/** Screens that the side menu has no room for. */
const others: ByRole<(userId: string) => readonly Place[]> = {
  user: (userId) => [
    { label: 'New Request', to: paths.newRequest, icon: Plus },
    { label: 'Transfer History', to: transferHistoryOf(userId), icon: History },
    { label: 'Fund Request History', to: fundHistoryOf(userId), icon: List },
  ],
  admin: () => [],
};

/** Everything that a person can go to and do from anywhere: actions first, then every screen that is open to their role. */
export function entriesOf(user: SessionUser, theme: Theme, acts: Acts): readonly Entry[] {
  const places = [...placesOf(user), ...others[user.role](user.userId)];
  const calledAlso = [...places, ...quickActionsOf(user)];
  const goTo = (group: Entry['group'], { label, icon, to }: Place, words: string): Entry => {
    const names = calledAlso.filter((place) => place.to === to).map((place) => place.label);
    return { group, label, icon, to, words: [words, ...names].join(' '), run: () => acts.go(to) };
  };
  const does = (label: string, icon: Entry['icon'], words: string, run: () => void): Entry => ({
    group: 'Actions',
    label,
    icon,
    words,
    run,
  });
  const begin = begun[user.role].map((one) => goTo('Actions', one, one.words));
  return [
    ...begin,
    ...themes
      .filter((one) => one !== theme)
      .map((one) =>
        does(`Theme: ${themeNames[one]}`, SunMoon, 'display colours mode', () => acts.choose(one)),
      ),
    ...(user.role === 'user' && acts.copyNumber !== undefined
      ? [does('Copy account number', Copy, 'own user id', acts.copyNumber)]
      : []),
    does('Keyboard shortcuts', Keyboard, 'keys help ?', acts.showShortcuts),
    does('Logout', LogOut, 'sign out leave', acts.logout),
    ...places
      .filter(({ to }) => begin.every((one) => one.to !== to))
      .map((place) => goTo('Pages', place, '')),
  ];
}

/** The entry that an id leads to. */
export function entryOf({ label, to }: FoundThing, acts: Pick<Acts, 'go'>): Entry {
  return { group: 'Requests', label, icon: FileSearch, to, words: '', run: () => acts.go(to) };
}

/** The entries that have every typed word in what they are called. */
export function found(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ label, words: also }: Entry) => {
    const all = `${label} ${also}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  return entries.filter(has);
}
