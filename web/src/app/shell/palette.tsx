import CornerDownLeft from 'lucide-react/icons/corner-down-left';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { useAccountQuery } from '../../api';
import { useTheme } from '../../features/settings';
import { copyText, Dialog } from '../../ui';
import { entriesOf, found, type Entry } from './palette-entries';
import { useLogout } from './use-logout';
import type { ToolProps } from './tool';
import styles from './palette.module.css';

/** In pixels. */
const WIDTH = 560;

/** Finds pages and actions by what is typed: a combobox with its list always open (WAI-ARIA Authoring Practices). */
export default function Palette({ user, onOpen, onClose }: ToolProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const entries = found(useEntries(user, onOpen, onClose), typed);
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
          {entries.length === 0 ? 'Nothing is called that.' : countOf(entries.length)}
        </p>
      </div>
    </Dialog>
  );
}

function countOf(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

/** What there is to choose from; what is chosen closes the palette. */
function useEntries(user: ToolProps['user'], onOpen: ToolProps['onOpen'], onClose: () => void) {
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
  return entriesOf(user, theme, {
    go: (to) => {
      moved.current = true;
      void navigate(to);
      onClose();
    },
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
}

type OptionsProps = {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly optionId: (place: number) => string;
};

const groups = ['Actions', 'Pages'] as const;

function Options({ id, entries, at, optionId }: OptionsProps) {
  if (entries.length === 0) return null;
  const placed = entries.map((entry, place) => ({ entry, place }));
  return (
    <div id={id} role="listbox" aria-label="Pages and actions" className={styles.list}>
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
