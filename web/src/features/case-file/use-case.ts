import { useEffect, useState } from 'react';
import { PAGE_SIZE_MAX, type CasePage } from '#contracts';
import type { Failure } from '../../api';
import { useLazyCasePageQuery } from './api';

/** Events that are shown and printed at most; the file has all of them. */
export const SHOWN_MAX = 2_000;

export type CaseEvent = CasePage['items'][number];

/** How far a case is: all of it is there before any is printed. */
export type Case =
  | { readonly phase: 'loading'; readonly events: readonly CaseEvent[] }
  | { readonly phase: 'ready' | 'too-long'; readonly events: readonly CaseEvent[] }
  | { readonly phase: 'failed'; readonly error: Failure };

const NONE: Case = { phase: 'loading', events: [] };

/** All that the log has in a person's streams, page after page; `again` asks anew. */
export function useCase(userId: string): { readonly found: Case; readonly again: () => void } {
  const [ask] = useLazyCasePageQuery();
  const [attempt, setAttempt] = useState(0);
  const [known, setKnown] = useState({ of: '', found: NONE });
  const key = `${attempt} ${userId}`;
  useEffect(() => {
    let isOver = false;
    const tell = (found: Case) => {
      if (!isOver) setKnown({ of: key, found });
    };
    const read = async () => {
      const events: CaseEvent[] = [];
      for (let cursor: string | undefined; !isOver;) {
        const page = await ask({ userId, cursor, limit: PAGE_SIZE_MAX }).unwrap();
        events.push(...page.items);
        const isEnd = page.next === null || events.length >= SHOWN_MAX;
        const phase = page.next === null ? 'ready' : isEnd ? 'too-long' : 'loading';
        tell({ phase, events: [...events] });
        if (isEnd) return;
        cursor = page.next ?? undefined;
      }
    };
    read().catch((error: unknown) => tell({ phase: 'failed', error: error as Failure }));
    return () => {
      isOver = true;
    };
  }, [ask, key, userId]);
  return { found: known.of === key ? known.found : NONE, again: () => setAttempt(attempt + 1) };
}
