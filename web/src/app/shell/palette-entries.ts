import Copy from 'lucide-react/icons/copy';
import FileSearch from 'lucide-react/icons/file-search';
import Keyboard from 'lucide-react/icons/keyboard';
import LogOut from 'lucide-react/icons/log-out';
import SunMoon from 'lucide-react/icons/sun-moon';
import { themes } from '#contracts';
import type { SessionUser } from '../../api';
import { themeNames, type Theme } from '../../features/settings';
import type { FoundThing } from './found-id';
import type { Navigation, Place } from './navigation';

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

/** Everything that a person can go to and do from anywhere: actions first, then every screen that is open to their role. */
export function entriesOf(
  navigation: Navigation,
  user: SessionUser,
  theme: Theme,
  acts: Acts,
): readonly Entry[] {
  const menu = navigation.places(user).flatMap((group) => group.places);
  const places = [...menu, ...navigation.others(user)];
  const calledAlso = [...places, ...navigation.actions(user)];
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
  const begin = navigation.begun.map((one) => goTo('Actions', one, one.words));
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
