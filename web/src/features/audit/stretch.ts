import type { AuditEvent, AuditPage } from '#contracts';
import type { EventFilter } from './filter';

/** Rows whose room stays above a stretch, at the most. */
const ROOM_MAX = 2_000;
/** Events a page, and events that are kept: what is far from what is looked at is asked for again. */
export const STRETCH_PAGE = 100;
const KEPT = 400;

/** What is asked for at one end of what is there. */
export type End = {
  readonly filter: EventFilter;
  readonly order: 'newest' | 'oldest';
  readonly cursor?: string | undefined;
};

/** A page of the list, newest first, with what is asked for before it and after it; null where the list ends. */
type Part = {
  readonly rows: readonly AuditEvent[];
  readonly newer: End | null;
  readonly older: End | null;
};

/** A stretch of the list that is there: pages that follow each other, the newest first. */
export type Stretch = readonly Part[];
export type Side = 'newer' | 'older';

/** Where a stretch begins: an end of the list, or an instant. */
export type Start = 'newest' | 'oldest' | { readonly instant: string };

/** The start that an address asks for. */
export function startOf(search: URLSearchParams): Start {
  const asked = search.get('jump');
  if (asked === 'oldest') return 'oldest';
  return asked === null || Number.isNaN(Date.parse(asked)) ? 'newest' : { instant: asked };
}

/** What has to be asked for to begin: the older side of where it is, the newer one, or both. */
export function endsAt(filter: EventFilter, start: Start): { newer: End | null; older: End | null } {
  if (start === 'newest') return { newer: null, older: { filter, order: 'newest' } };
  if (start === 'oldest') return { newer: { filter, order: 'oldest' }, older: null };
  const { instant } = start;
  const { from, to } = filter;
  const isOutside = (to !== undefined && instant >= to) || (from !== undefined && instant <= from);
  if (isOutside) return endsAt(filter, to !== undefined && instant >= to ? 'newest' : 'oldest');
  return {
    newer: { filter: { ...filter, from: instant }, order: 'oldest' },
    older: { filter: { ...filter, to: instant }, order: 'newest' },
  };
}

/** The answer to an end as a page of the list. `beyond` is what lies on the other side of where its own list begins. */
export function partOf(end: End, page: AuditPage, beyond: End | null): Part {
  const { filter, order } = end;
  const at = (cursor: string | null, otherwise: End | null): End | null =>
    cursor === null ? otherwise : { filter, order, cursor };
  if (order === 'newest')
    return { rows: page.items, newer: at(page.previous, beyond), older: at(page.next, null) };
  return { rows: page.items.toReversed(), newer: at(page.next, null), older: at(page.previous, beyond) };
}

/** A stretch with a page more on one side, and without those on the other that are more than what is kept. */
export function grown(stretch: Stretch, side: Side, part: Part): Stretch {
  // The side that grows comes first, so that what is too much is at the end.
  const parts = side === 'newer' ? [part, ...stretch] : [part, ...stretch.toReversed()];
  let count = 0;
  const kept = parts.filter(({ rows }) => {
    const isNeeded = count < KEPT;
    count += rows.length;
    return isNeeded;
  });
  return side === 'newer' ? kept : kept.toReversed();
}

/** Whether the page on a side has no row, though the list goes on behind it: the search may look at so many at once. */
export function isLost(stretch: Stretch, side: Side): boolean {
  const last = side === 'newer' ? stretch[0] : stretch.at(-1);
  return last !== undefined && last.rows.length === 0 && endOf(stretch, side) !== null;
}

/** What is asked for on a side of a stretch; null where the list ends. */
export function endOf(stretch: Stretch, side: Side): End | null {
  return (side === 'newer' ? stretch[0]?.newer : stretch.at(-1)?.older) ?? null;
}

/** How many rows a stretch has on its newer side that another one doesn't: so much further down is what both have. */
export function shiftOf(before: Stretch, after: Stretch): number {
  const count = (parts: Stretch) => parts.reduce((all, { rows }) => all + rows.length, 0);
  const [first] = before;
  if (first === undefined) return 0;
  const at = after.indexOf(first);
  if (at >= 0) return count(after.slice(0, at));
  const [top] = after;
  const gone = top === undefined ? -1 : before.indexOf(top);
  return gone > 0 ? -count(before.slice(0, gone)) : 0;
}

/**
 * For how many rows that are not kept there is room above a stretch that became another one: what is taken away above leaves
 * its room, and what comes takes it, so that nothing has to be moved, nor laid out for that.
 */
export function roomAbove(room: number, before: Stretch, after: Stretch): number {
  const left = room - shiftOf(before, after);
  return left < 0 || left > ROOM_MAX || endOf(after, 'newer') === null ? 0 : left;
}
