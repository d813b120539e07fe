import { Button, TextInput } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import styles from './period-choice.module.css';

/** Calendar days, both included. */
type Period = { readonly from: string; readonly to: string };

type Props = {
  /** What is chosen, for somebody who hears it. */
  readonly label: string;
  readonly period: Period;
  /** Periods that are one press away. */
  readonly presets: readonly (Period & { readonly name: string })[];
  /** Why there is nothing of this period. */
  readonly fault: string | undefined;
  readonly onChange: (period: Partial<Period>) => void;
  /** What else is chosen. */
  readonly children: ReactNode;
};

const stay = (event: SyntheticEvent) => event.preventDefault();

/** The days that something is of, and what else there is to choose of it. */
export function PeriodChoice({ label, period, presets, fault, onChange, children }: Props) {
  const { from, to } = period;
  return (
    <form className={`card ${styles.choice ?? ''}`} aria-label={label} onSubmit={stay}>
      <div className={styles.presets}>
        {presets.map(({ name, ...preset }) => (
          <Button
            key={name}
            variant="default"
            size="xs"
            aria-pressed={preset.from === from && preset.to === to}
            onClick={() => onChange(preset)}
          >
            {name}
          </Button>
        ))}
      </div>
      <TextInput
        type="date"
        label="From"
        value={from}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange({ from: value })}
      />
      <TextInput
        type="date"
        label="To"
        value={to}
        error={fault}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange({ to: value })}
      />
      {children}
    </form>
  );
}
