import { z } from 'zod';
import { sha256 } from '#kernel';
import type { ListQuery } from '#read-store';
import { InvalidInput } from './invalid-input.js';

/** Characters of a hash that tell one list from another. */
const LIST_NAME = 32;

/** The last instant whose text compares with those of others: the years after have more digits. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Which way a page lies from the row that the cursor names, that row's keys, and the number of the page's first row. */
const cursorShape = z.object({
  way: z.enum(['next', 'previous']),
  keys: z.array(z.string().max(128)).min(1).max(8),
  first: z.int().min(1),
  /** The list that the cursor belongs to: a cursor on another filter would skip rows in silence. */
  list: z.string().max(256),
  /** The row with these keys is part of the page; left out when the page lies beyond it. */
  inclusive: z.literal(true).optional(),
});
export type Cursor = z.infer<typeof cursorShape>;

export type Page<Row> = {
  readonly items: readonly Row[];
  readonly first: number;
  readonly next: string | null;
  readonly previous: string | null;
};

/** Which page of a list is asked for: a cursor of another page, and what every page of the list has in common. */
export type PageAsked = {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly order?: 'newest' | 'oldest' | undefined;
  /** ISO instants: not before, and before. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/**
 * One page of a list by keyset, newest first unless it is asked for the other way round: `list` reads rows of the read
 * store, `fields` are those that give the order, the id last. `from` and `to` bound the first of them, as texts of the
 * same kind. A page before another is the same list read the other way.
 */
export async function readPage<Field extends string, Row extends Readonly<Record<Field, string>>>(
  query: PageAsked & { readonly index: string; readonly equals: Record<string, string> },
  list: (query: ListQuery) => Promise<readonly Row[]>,
  fields: readonly Field[],
): Promise<Page<Row>> {
  const { index, equals, limit, order = 'newest', from, to } = query;
  const name = sha256(JSON.stringify([index, equals, order, from, to])).slice(0, LIST_NAME);
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor, name, fields.length);
  const backwards = cursor?.way === 'previous';
  const rows = await list({
    index,
    equals,
    direction: backwards === (order === 'newest') ? 'ascending' : 'descending',
    limit: limit + 1,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(cursor === undefined ? {} : { after: cursor.keys }),
  });
  const page = rows.slice(0, limit);
  const items = backwards ? page.reverse() : page;
  const more = rows.length > limit;
  const first = backwards && !more ? 1 : (cursor?.first ?? 1);
  const [top, bottom] = [items[0], items.at(-1)];
  const at = (way: Cursor['way'], row: Row, start: number) =>
    encodeCursor({ way, keys: fields.map((field) => row[field]), first: Math.max(1, start), list: name });
  return {
    items,
    first,
    next: bottom !== undefined && (backwards || more) ? at('next', bottom, first + items.length) : null,
    previous:
      top !== undefined && (backwards ? more : cursor !== undefined)
        ? at('previous', top, first - limit)
        : null,
  };
}

/**
 * The instants of a query as texts that instants in documents compare with: those have whole milliseconds, so that what
 * lies between two of them begins at the next.
 */
export function wholeInstants({ from, to }: Pick<PageAsked, 'from' | 'to'>): Pick<PageAsked, 'from' | 'to'> {
  return { from: from && wholeInstant(from), to: to && wholeInstant(to) };
}

function wholeInstant(instant: string): string {
  const isBetween = /\.\d{3}\d*[1-9]/.test(instant);
  return new Date(Math.min(Date.parse(instant) + Number(isBetween), LAST_INSTANT)).toISOString();
}

/** A page that was found by looking at rows of which not all fit. */
type Scanned = {
  /** Where the page was asked from. */
  readonly cursor: Cursor | undefined;
  readonly list: string;
  readonly limit: number;
  /** The places of its rows in the order in which they were looked at. */
  readonly places: readonly string[];
  /** The place up to which all was looked at, when there may be more. */
  readonly edge: string | undefined;
};

/** Filters by equality that are set, as a read model takes them. */
export function filtersIn(filters: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * The number of such a page's first row, and the ways on from it: it may hold fewer rows than were asked for, even none,
 * and still have one.
 */
export function scannedPage({ cursor, list, limit, places, edge }: Scanned): Omit<Page<never>, 'items'> {
  const isBackwards = cursor?.way === 'previous';
  const first = isBackwards && edge === undefined ? 1 : (cursor?.first ?? 1);
  const at = (way: Cursor['way'], key: string, start: number, isInclusive = false) =>
    encodeCursor({
      way,
      keys: [key],
      first: Math.max(1, start),
      list,
      ...(isInclusive ? { inclusive: true as const } : {}),
    });
  const onwards = isBackwards ? 'previous' : 'next';
  const back = isBackwards ? 'next' : 'previous';
  const starts = { next: first + places.length, previous: first - limit };
  const [nearest] = places;
  const returning =
    cursor === undefined
      ? null
      : nearest === undefined
        ? at(back, cursor.keys[0] ?? '', starts[back], cursor.inclusive !== true)
        : at(back, nearest, starts[back]);
  const going = edge === undefined ? null : at(onwards, edge, starts[onwards]);
  return {
    first,
    next: isBackwards ? returning : going,
    previous: isBackwards ? going : returning,
  };
}

/** The opaque text of a cursor. */
export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** The cursor of a text. Refuses one of another list, and one that is none. */
export function decodeCursor(text: string, list: string, keys: number): Cursor {
  try {
    const cursor = cursorShape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (cursor.list !== list || cursor.keys.length !== keys) throw notOfThisList();
    return cursor;
  } catch {
    throw notOfThisList();
  }
}

/** The refusal of a cursor that names no place of the list. */
export function notOfThisList(): InvalidInput {
  return new InvalidInput([{ path: 'cursor', message: 'This cursor is not from this list.' }]);
}
