import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

type LineProps = {
  readonly title: string;
  readonly act: string;
  readonly disabled?: boolean;
  readonly onAct: () => void;
  readonly children: ReactNode;
};

/** What an admin can do about somebody, with what follows. */
export function Line({ title, act, disabled = false, onAct, children }: LineProps) {
  return (
    <li>
      <div>
        <b>{title}</b>
        <p className="soft">{children}</p>
      </div>
      <Button variant="default" disabled={disabled} onClick={onAct}>
        {act}
      </Button>
    </li>
  );
}
