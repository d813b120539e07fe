import { Button } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import styles from './form.module.css';

type Props = {
  readonly label?: string;
  readonly onSubmit: (event: SubmitEvent) => Promise<void>;
  readonly children: ReactNode;
};

/** A form on a card: one column, labels above their fields. It checks by itself what is wrong, in its own words. */
export function Form({ label, onSubmit, children }: Props) {
  return (
    <form
      className={`card ${styles.form}`}
      aria-label={label}
      onSubmit={(event) => void onSubmit(event)}
      noValidate
    >
      {children}
    </form>
  );
}

type ActsProps = {
  readonly submit: string;
  readonly busy: boolean;
  readonly disabled?: boolean;
  /** One of several forms on a screen: none of their buttons is the screen's own. */
  readonly quiet?: boolean;
  readonly children?: ReactNode;
};

/** The button that sends a form, and what there is to say beside it. */
export function FormActs({ submit, busy, disabled = false, quiet = false, children }: ActsProps) {
  return (
    <div className={styles.acts}>
      <Button
        type="submit"
        variant={quiet ? 'default' : 'filled'}
        disabled={busy || disabled}
        className={quiet ? '' : (styles.submit ?? '')}
      >
        {busy ? 'Please wait' : submit}
      </Button>
      {children !== undefined && <span className="soft">{children}</span>}
    </div>
  );
}
