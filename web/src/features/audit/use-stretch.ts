import { useCallback, useEffect, useRef, useState } from 'react';
import type { AuditPage } from '#contracts';
import type { ApiError } from '../../api';
import { useEventStretch } from './api';
import type { EventFilter } from './filter';
import {
  endOf,
  endsAt,
  grown,
  partOf,
  roomAbove,
  STRETCH_PAGE,
  type End,
  type Side,
  type Start,
  type Stretch,
} from './stretch';

/** Pages without a row that are gone through before the reader is told how far the search is. */
const EMPTY_PAGES_MAX = 10;

/**
 * A stretch as it is on screen, with the room above it in rows. `begun` counts starts, so that a list that began anew is told
 * from one that grew.
 */
export type Held = {
  readonly stretch: Stretch;
  readonly room: number;
  readonly begun: number;
  readonly newerRows: number;
};

function grownBy(held: Held, side: Side, part: Stretch[number]): Held {
  const stretch = grown(held.stretch, side, part);
  return { ...held, stretch, room: roomAbove(held.room, held.stretch, stretch) };
}

type Ask = ReturnType<typeof useEventStretch>;

/** The page at an end, or the first after it that has a row; `beyond` is what lies on the other side of a list's own beginning. */
async function pageAt(ask: Ask, end: End, beyond: End | null, side: Side) {
  let at: End = end;
  for (let empty = 0; ; empty++) {
    const { filter, ...rest } = at;
    const answer = await ask({ ...filter, ...rest, limit: STRETCH_PAGE });
    const part = partOf(at, answer, at === end ? beyond : null);
    const on = part[side];
    // A search that finds little answers with pages that have no row, and goes on behind them.
    if (part.rows.length > 0 || on === null || empty >= EMPTY_PAGES_MAX) return part;
    at = on;
  }
}

/**
 * The stretch of a list of events that is looked at, which grows on the side that is asked for: keyset pages, of which
 * only some are kept. Where it begins with the newest events for the first time, it begins with what is `shown` of them already.
 */
export function useStretch(
  filter: EventFilter,
  start: Start,
  renewed: number,
  shown: (filter: EventFilter) => AuditPage | undefined,
) {
  const ask = useEventStretch();
  const [held, setHeld] = useState<Held>();
  const [error, setError] = useState<ApiError>();
  const run = useRef(0);
  const isBusy = useRef(false);
  const identity = JSON.stringify([filter, start, renewed]);
  const begun = useRef({ filter, start });
  begun.current = { filter, start };

  const begin = useCallback(async () => {
    const mine = ++run.current;
    isBusy.current = true;
    setError(undefined);
    setHeld(undefined);
    const { newer, older } = endsAt(begun.current.filter, begun.current.start);
    const first = mine === 1 && newer === null ? shown(begun.current.filter) : undefined;
    try {
      const [before, after] = await Promise.all([
        newer && pageAt(ask, newer, older, 'newer'),
        older && (first === undefined ? pageAt(ask, older, newer, 'older') : partOf(older, first, newer)),
      ]);
      if (mine !== run.current) return;
      const stretch = [before, after].filter((part) => part !== null);
      setHeld({
        stretch,
        room: 0,
        begun: mine,
        newerRows: before === null || after === null ? 0 : before.rows.length,
      });
    } catch (failed) {
      if (mine === run.current) setError(failed as ApiError);
    } finally {
      if (mine === run.current) isBusy.current = false;
    }
  }, [ask, shown]);

  useEffect(() => void begin(), [begin, identity]);

  const grow = async (side: Side) => {
    const end = held && endOf(held.stretch, side);
    if (isBusy.current || end === null || end === undefined) return;
    const mine = run.current;
    isBusy.current = true;
    try {
      const part = await pageAt(ask, end, null, side);
      if (mine === run.current) setHeld((now) => now && grownBy(now, side, part));
    } catch (failed) {
      if (mine === run.current) setError(failed as ApiError);
    } finally {
      if (mine === run.current) isBusy.current = false;
    }
  };
  return { held, error, grow, retry: () => void begin() };
}
