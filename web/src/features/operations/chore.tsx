import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChoreView } from '#contracts';
import { grouped } from '../../lib';
import { Ago } from '../../ui';
import styles from './operations.module.css';

/** Sentences about what is wrong that are shown before the others are asked for. */
const WRONG_SHOWN = 5;

type Props = {
  readonly run: ChoreView;
  /** What it is called, as 'Verification'. */
  readonly name: string;
  /** What is said when it found nothing wrong. */
  readonly good: string;
  /** Its way to be stopped, while it is under way. */
  readonly cancel?: { readonly isBusy: boolean; readonly onCancel: () => void } | undefined;
};

/** How far something is that was ordered of the program, or what it came to. */
export function Chore({ run, name, good, cancel }: Props) {
  if (run.state === 'running') return <UnderWay run={run} name={name} cancel={cancel} />;
  return (
    <div className={styles.chore} role="status">
      <p>
        <b className={isGood(run) ? undefined : styles.failed}>{came(run, good)}</b>
        {run.endedAt !== null && (
          <span className="soft">
            {' '}
            <Ago iso={run.endedAt} />
          </span>
        )}
      </p>
      {run.failure !== null && <p>{run.failure}</p>}
      <Wrong wrong={run.wrong} />
    </div>
  );
}

function isGood({ state, wrong }: ChoreView): boolean {
  return state === 'canceled' || (state === 'done' && wrong.length === 0);
}

/** What it came to, in a word or two: somebody who sees no colour reads the same. */
function came({ state, wrong }: ChoreView, good: string): string {
  if (state === 'canceled') return 'Canceled.';
  if (state === 'failed') return 'It failed.';
  if (wrong.length === 0) return good;
  return wrong.length === 1 ? '1 fault was found.' : `${wrong.length} faults were found.`;
}

function UnderWay({ run, name, cancel }: Pick<Props, 'run' | 'name' | 'cancel'>): ReactNode {
  const { step, looked, of } = run;
  return (
    <div className={`${styles.chore ?? ''} ${styles.rebuild ?? ''}`}>
      <progress {...(of !== null && { value: looked, max: Math.max(of, 1) })} aria-label={name} />
      <p>
        <b className="num">
          {grouped(String(looked))}
          {of !== null && ` of ${grouped(String(of))}`}
        </b>{' '}
        {step === '' ? 'begins' : step}, begun <Ago iso={run.begunAt} />
      </p>
      {cancel !== undefined && (
        <Button variant="default" size="xs" disabled={cancel.isBusy} onClick={cancel.onCancel}>
          {cancel.isBusy ? 'Please wait' : 'Cancel'}
        </Button>
      )}
    </div>
  );
}

function Wrong({ wrong }: Pick<ChoreView, 'wrong'>) {
  if (wrong.length === 0) return null;
  const [first, others] = [wrong.slice(0, WRONG_SHOWN), wrong.slice(WRONG_SHOWN)];
  return (
    <>
      <Sentences of={first} />
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <Sentences of={others} />
        </details>
      )}
    </>
  );
}

function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className={styles.wrong}>
      {of.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
