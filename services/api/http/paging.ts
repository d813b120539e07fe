import { z } from 'zod';
import type { ListQuery } from '#read-store';
import { InvalidInput } from './problem.js';

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

/**
 * One page of a list, newest first, by keyset: `list` reads rows of the read store, `fields` are those
 * that give the order, the id last. A page before another is the same list read the other way.
 */
export async function readPage<Field extends string, Row extends Readonly<Record<Field, string>>>(
  query: {
    readonly cursor?: string | undefined;
    readonly limit: number;
    readonly index: string;
    readonly equals: Record<string, string>;
  },
  list: (query: ListQuery) => Promise<readonly Row[]>,
  fields: readonly Field[],
): Promise<Page<Row>> {
  const { index, equals, limit } = query;
  const name = JSON.stringify([index, equals]);
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor, name, fields.length);
  const backwards = cursor?.way === 'previous';
  const rows = await list({
    index,
    equals,
    direction: backwards ? 'ascending' : 'descending',
    limit: limit + 1,
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

/** The opaque text of a cursor. */
export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** The cursor of a text. Refuses one of another list, and one that is none. */
export function decodeCursor(text: string, list: string, keys: number): Cursor {
  const refusal = () => new InvalidInput([{ path: 'cursor', message: 'This cursor is not from this list.' }]);
  try {
    const cursor = cursorShape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (cursor.list !== list || cursor.keys.length !== keys) throw refusal();
    return cursor;
  } catch {
    throw refusal();
  }
}
