import CornerDownLeft from 'lucide-react/icons/corner-down-left';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { PAGE_SIZE_MAX } from '#contracts';
import { useAccountQuery } from '../../api';
import { useTheme } from '../../features/settings';
import { copyText, Dialog } from '../../ui';
import { entriesOf, entryOf, found, type Entry } from './palette-entries';
import type { FoundId } from './found-id';
import { useNavigation } from './navigation';
import { useOwnFoundId } from './use-found-id';
import { useLogout } from './use-logout';
import type { ToolProps } from './tool';
import styles from './palette.module.css';

/** In pixels. */
const WIDTH = 560;

/** Finds pages and actions by what is typed: a combobox with its list always open (WAI-ARIA Authoring Practices). */
export default function Palette({ user, onOpen, onClose }: ToolProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const { useFoundId = useOwnFoundId } = useNavigation();
  const byId = useFoundId(user, typed);
  const acts = useActs(user, onOpen, onClose);
  const entries = [
    ...found(acts.entries, typed),
    ...(byId.phase === 'found' ? [entryOf(byId.thing, acts)] : []),
  ];
  const chosen = entries[at];
  const optionId = (place: number) => `${id}-${place}`;
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) setAt((at + step + entries.length) % entries.length);
    // Enter also ends what an input method composes.
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) chosen?.run();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to a page or do something" bare width={WIDTH} onClose={onClose}>
      <div className={styles.palette}>
        <input
          type="text"
          role="combobox"
          className={styles.input}
          aria-label="Find a page or action"
          placeholder="Find a page or action"
          autoComplete="off"
          spellCheck={false}
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={entries.length > 0 ? id : undefined}
          aria-activedescendant={chosen === undefined ? undefined : optionId(at)}
          data-autofocus
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <Options id={id} entries={entries} at={at} optionId={optionId} />
        <p role="status" className={entries.length > 0 ? 'visually-hidden' : styles.none}>
          {entries.length === 0 ? nothing(byId, user.role) : countOf(entries.length)}
        </p>
      </div>
    </Dialog>
  );
}

/** Why there is nothing to choose from. */
function nothing({ phase }: FoundId, role: ToolProps['user']['role']): string {
  if (phase === 'looking') return 'Looking for this id.';
  if (phase === 'failed') return 'This id could not be looked up. Try again in a moment.';
  if (phase === 'unknown')
    return role === 'admin' ? 'No request has this id.' : 'Nothing of yours has this id.';
  if (phase === 'unknown so far')
    return `None of your requests has this id, nor any of the last ${PAGE_SIZE_MAX} transfers that you received.`;
  return 'Nothing is called that.';
}

function countOf(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

/** What there is to choose from; what is chosen closes the palette. */
function useActs(user: ToolProps['user'], onOpen: ToolProps['onOpen'], onClose: () => void) {
  const navigate = useNavigate();
  const logout = useLogout();
  const { theme, choose } = useTheme(user.userId);
  const { data: account } = useAccountQuery({ userId: user.userId });
  const moved = useRef(false);
  // Whoever goes to a page goes on at its beginning, and not at what the palette was opened from.
  useEffect(
    () => () => {
      if (moved.current) document.getElementById('content')?.focus();
    },
    [],
  );
  const go = (to: string) => {
    moved.current = true;
    void navigate(to);
    onClose();
  };
  const entries = entriesOf(useNavigation(), user, theme, {
    go,
    choose: (chosen) => {
      void choose(chosen);
      onClose();
    },
    showShortcuts: () => onOpen('shortcuts'),
    copyNumber:
      account &&
      (() => {
        void copyText({ text: account.accountNumber, what: 'Account number' });
        onClose();
      }),
    logout: () => {
      logout();
      onClose();
    },
  });
  return { entries, go };
}

type OptionsProps = {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly optionId: (place: number) => string;
};

const groups = ['Actions', 'Pages', 'Requests'] as const;

function Options({ id, entries, at, optionId }: OptionsProps) {
  if (entries.length === 0) return null;
  const placed = entries.map((entry, place) => ({ entry, place }));
  return (
    <div id={id} role="listbox" aria-label="Pages, actions and requests" className={styles.list}>
      {groups.map((group) => {
        const own = placed.filter(({ entry }) => entry.group === group);
        return (
          own.length > 0 && (
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <span id={`${id}-${group}`} className={styles.group}>
                {group}
              </span>
              {own.map(({ entry, place }) => (
                <Option key={entry.label} id={optionId(place)} entry={entry} isActive={place === at} />
              ))}
            </div>
          )
        );
      })}
    </div>
  );
}

type OptionProps = { readonly id: string; readonly entry: Entry; readonly isActive: boolean };

function Option({ id, entry: { icon: Icon, label, run }, isActive }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      <Icon className="icon" />
      {label}
      {isActive && <CornerDownLeft className={`icon small ${styles.enter ?? ''}`} />}
    </div>
  );
}
