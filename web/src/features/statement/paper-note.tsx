import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { detailOf } from '../../api';
import { grouped } from '../../lib';
import { PRINTED_MAX, type Paper } from './use-paper';
import styles from './statement.module.css';

type Props = { readonly paper: Paper; readonly onRetry: () => void; readonly onStop: () => void };

/** Says how far the paper is, or why there is none. */
export function PaperNote({ paper, onRetry, onStop }: Props) {
  return (
    <>
      <div role="status">
        {paper.phase === 'loading' && (
          <Note act="Cancel" onAct={onStop}>
            <span className="num">
              Loading all lines to print them: {grouped(String(paper.lines))} so far.
            </span>
          </Note>
        )}
      </div>
      {paper.phase === 'too-long' && (
        <Note role="alert" act="Close" onAct={onStop}>
          <b>Not printed: this period has more than {grouped(String(PRINTED_MAX))} lines.</b> Choose a shorter
          one, or take the CSV, which has all of them.
        </Note>
      )}
      {paper.phase === 'failed' && (
        <Note role="alert" act="Retry" onAct={onRetry}>
          <b>Not printed: a part of this period could not be loaded.</b>{' '}
          {detailOf(paper.error) ?? 'Check your connection, then try again.'}
        </Note>
      )}
    </>
  );
}

type NoteProps = {
  readonly role?: 'alert';
  readonly act: string;
  readonly onAct: () => void;
  readonly children: ReactNode;
};

function Note({ role, act, onAct, children }: NoteProps) {
  return (
    <div className={styles.note} role={role}>
      <p>{children}</p>
      <Button variant="default" size="xs" onClick={onAct}>
        {act}
      </Button>
    </div>
  );
}
