import { Button, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { REASON_LENGTH_MAX, type ApprovalCount } from '#contracts';
import { stepWords } from '../approvals';
import type { Verdict } from './words';
import styles from './decision-parts.module.css';

type ReasonProps = {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (reason: string) => void;
};

/** Why somebody decides as they do. */
export function ReasonField({ label = 'Reason, kept with the decision', value, onChange }: ReasonProps) {
  return (
    <Textarea
      label={label}
      value={value}
      maxLength={REASON_LENGTH_MAX}
      rows={2}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Why a decision was not taken, in the service's words. */
export function Refused({ refusal }: { readonly refusal: string | undefined }) {
  return (
    refusal !== undefined && (
      <p role="alert" className={styles.refused}>
        {refusal}
      </p>
    )
  );
}

/** What one's own approval does, where it takes several. */
export function Steps({ of }: { readonly of: ApprovalCount }) {
  const words = stepWords(of);
  return words !== undefined && <p className={styles.steps}>{words}</p>;
}

type ActsProps = {
  readonly words: Readonly<Record<Verdict | 'leave', string>>;
  /** What somebody came to do, whose button then has the focus. */
  readonly intent?: Verdict | undefined;
  /** What is being sent. */
  readonly pressed: Verdict | undefined;
  readonly verdicts: readonly Verdict[];
  readonly onDecide: (verdict: Verdict) => Promise<void>;
  readonly onClose: () => void;
};

/** The buttons of a decision. */
export function DecisionActs({ words, intent, pressed, verdicts, onDecide, onClose }: ActsProps) {
  return (
    <div className={styles.acts}>
      <Button variant="subtle" onClick={onClose}>
        {words.leave}
      </Button>
      <span />
      {verdicts.map((verdict) => (
        <Button
          key={verdict}
          variant={verdict === 'reject' ? 'danger' : 'filled'}
          data-verdict={verdict}
          data-autofocus={intent === verdict || undefined}
          disabled={pressed !== undefined}
          onClick={() => void onDecide(verdict)}
        >
          {pressed === verdict ? 'Please wait' : words[verdict]}
        </Button>
      ))}
    </div>
  );
}

type ClosedProps = { readonly leave: string; readonly onClose: () => void; readonly children: ReactNode };

/** Stands in the place of what was decided while it was open, and says so. */
export function Closed({ leave, onClose, children }: ClosedProps) {
  return (
    <>
      <p role="status" className={styles.closed}>
        <b>Transaction Closed</b> {children}
      </p>
      <div className={styles.acts}>
        <span />
        <Button variant="default" onClick={onClose}>
          {leave}
        </Button>
      </div>
    </>
  );
}
