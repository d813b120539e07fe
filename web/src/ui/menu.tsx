import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import styles from './menu.module.css';

export type MenuItem = { readonly key: string; readonly label: ReactNode; readonly onChoose: () => void };
export type MenuGroup = { readonly label?: string; readonly items: readonly MenuItem[] };

type Props = {
  /** The accessible name of the button, where its content doesn't say it. */
  readonly label?: string;
  readonly trigger: ReactNode;
  readonly triggerClassName: string | undefined;
  readonly align: 'start' | 'end';
  readonly header?: ReactNode;
  readonly groups: readonly MenuGroup[];
};

/** A menu button after the APG pattern: arrows move, Home and End jump, Escape closes and gives the focus back. */
export function Menu({ label, trigger, triggerClassName, align, header, groups }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const items = () => [...(place.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];

  useEffect(() => {
    if (!open) return;
    items()[0]?.focus();
    const leave = (event: PointerEvent) => {
      if (event.target instanceof Node && place.current?.contains(event.target) !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [open]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const targets: Partial<Record<string, number>> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setOpen(false);
    else if (target !== undefined) {
      event.preventDefault();
      all[target]?.focus();
    }
  };
  return (
    <div className={styles.place} ref={place}>
      <button
        ref={button}
        type="button"
        className={triggerClassName}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            setOpen(true);
          }
        }}
      >
        {trigger}
      </button>
      {open && (
        <div className={`${styles.sheet ?? ''} ${styles[align] ?? ''}`}>
          {header}
          <div id={id} role="menu" aria-label={label} onKeyDown={onKeyDown}>
            {groups.map(({ label: name, items: members }, index) => (
              <div key={name ?? index} role="group" aria-label={name}>
                {name !== undefined && (
                  <span className={styles.name} aria-hidden="true">
                    {name}
                  </span>
                )}
                {members.map(({ key, label: text, onChoose }) => (
                  <button
                    key={key}
                    type="button"
                    role="menuitem"
                    tabIndex={-1}
                    onClick={() => {
                      close();
                      onChoose();
                    }}
                  >
                    {text}
                  </button>
                ))}
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
