import { useCallback, useEffect, useRef, useState } from 'react';
import { PAGE_SIZE_MAX, type Statement } from '#contracts';
import { isSessionOver, useAskStatement, type Failure } from '../../api';
import type { StatementView } from './period';

/** Lines that are printed at most, on some sixty sheets of paper; a file has no such end. */
export const PRINTED_MAX = 2_000;

/** How far the paper of a statement is: all of it has to be there before any of it is printed. */
export type Paper =
  | { readonly phase: 'none' }
  | { readonly phase: 'loading'; readonly lines: number }
  | { readonly phase: 'too-long' }
  | { readonly phase: 'failed'; readonly error: Failure }
  | { readonly phase: 'ready'; readonly statement: Statement };

const NONE: Paper = { phase: 'none' };

type Period = Pick<StatementView, 'from' | 'to' | 'zone' | 'currency'> & { readonly userId: string };

/**
 * Prints the whole of a period, of which the screen may show a page: `print` brings the pages together, and opens the
 * browser's dialog once all are there; `stop` gives that up, as another period does.
 */
export function usePaper({ userId, from, to, zone, currency }: Period) {
  const ask = useAskStatement();
  const [paper, setPaper] = useState(NONE);
  const running = useRef<AbortController>(null);
  const stop = useCallback(() => {
    running.current?.abort();
    setPaper(NONE);
  }, []);
  useEffect(() => stop, [stop, userId, from, to, zone, currency]);
  useEffect(() => {
    if (paper.phase !== 'ready') return;
    addEventListener('afterprint', stop);
    print();
    return () => removeEventListener('afterprint', stop);
  }, [paper, stop]);

  /** Prints what is shown where that is all there is, and else asks for all of it. */
  const start = async (shown: Statement) => {
    if (shown.previous === null && shown.next === null) {
      setPaper({ phase: 'ready', statement: shown });
      return;
    }
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const tell = (next: Paper) => {
      if (!signal.aborted) setPaper(next);
    };
    tell({ phase: 'loading', lines: 0 });
    try {
      const period = { userId, from, to, zone, currency };
      tell(
        await wholeOf(
          (cursor) => ask({ ...period, cursor, limit: PAGE_SIZE_MAX }),
          (lines) => tell({ phase: 'loading', lines }),
          signal,
        ),
      );
    } catch (error) {
      // The sign-in dialog speaks of a session that is over.
      tell(isSessionOver(error as Failure) ? NONE : { phase: 'failed', error: error as Failure });
    }
  };
  return { paper, print: start, stop };
}

/**
 * All pages of a statement as one. What it ended with, and where that is true, is what the last page says: what happened
 * while they came is among its lines.
 */
async function wholeOf(
  ask: (cursor: string | undefined) => Promise<Statement>,
  onLines: (lines: number) => void,
  signal: AbortSignal,
): Promise<Paper> {
  const entries: Statement['entries'] = [];
  for (let cursor: string | undefined; !signal.aborted;) {
    const page = await ask(cursor);
    entries.push(...page.entries);
    if (entries.length > PRINTED_MAX) return { phase: 'too-long' };
    onLines(entries.length);
    if (page.next === null)
      return { phase: 'ready', statement: { ...page, entries, first: 1, previous: null } };
    cursor = page.next;
  }
  return NONE;
}
