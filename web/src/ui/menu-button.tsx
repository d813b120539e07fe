import { Menu } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';

type Props = {
  /** The accessible name of the button, where its content doesn't say it. */
  readonly label?: string;
  readonly trigger: ReactNode;
  readonly className: string | undefined;
  readonly align: 'start' | 'end';
  /** Opens at once: the press that asked for it came before its code was there. */
  readonly openAtOnce?: boolean;
  /** What Mantine's menus are made of: labels and items. */
  readonly children: ReactNode;
};

/** A button with a menu. Beside what Mantine's has, arrow down opens it and Tab leaves it, as people know from elsewhere. */
export function MenuButton({ label, trigger, className, align, openAtOnce = false, children }: Props) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!openAtOnce) return;
    // The menu gives the focus back to whatever had it when it was opened.
    button.current?.focus();
    setOpened(true);
  }, [openAtOnce]);
  return (
    <Menu opened={opened} onChange={setOpened} position={`bottom-${align}`}>
      <Menu.Target>
        <button
          ref={button}
          type="button"
          className={className}
          aria-label={label}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            setOpened(true);
          }}
        >
          {trigger}
        </button>
      </Menu.Target>
      <Menu.Dropdown
        onKeyDown={(event) => {
          if (event.key === 'Tab') setOpened(false);
        }}
      >
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
