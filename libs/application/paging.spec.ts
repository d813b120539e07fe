import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListQuery } from '#read-store';
import { readPage, wholeInstants } from './paging.js';

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.123Z', '2026-01-31T12:00:00.123Z'],
  ['2026-01-31T12:00:00.1230Z', '2026-01-31T12:00:00.123Z'],
  ['2026-01-31T12:00:00.1231Z', '2026-01-31T12:00:00.124Z'],
  ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
])('the instant %s begins with the whole millisecond %s', (instant, whole) => {
  expect(wholeInstants({ from: instant, to: instant })).toEqual({ from: whole, to: whole });
});

/** Rows `0000` to the number of them, of which a page lists those behind a place. */
function listOf(count: number) {
  const ids = Array.from({ length: count }, (_, n) => String(n).padStart(4, '0'));
  return ({ direction, limit, after }: Pick<ListQuery, 'direction' | 'limit' | 'after'>) => {
    const ordered = direction === 'ascending' ? ids : ids.toReversed();
    const start = after === undefined ? 0 : ordered.indexOf(after[0] ?? '') + 1;
    return Promise.resolve(ordered.slice(start, start + limit).map((id) => ({ id })));
  };
}

test('pages follow each other to the end and back, each with the number of its first row', async () => {
  const limits = { count: fc.nat({ max: 30 }), limit: fc.integer({ min: 1, max: 12 }) };
  const order = fc.constantFrom('newest' as const, 'oldest' as const);
  await fc.assert(
    fc.asyncProperty(fc.record({ ...limits, order }), async ({ count, limit, order }) => {
      const list = listOf(count);
      const page = (cursor?: string) =>
        readPage({ index: 'all', equals: {}, limit, order, ...(cursor && { cursor }) }, list, ['id']);
      const all = (
        await list({ direction: order === 'newest' ? 'descending' : 'ascending', limit: count })
      ).map(({ id }) => id);
      const rowsOf = ({ first, items }: Awaited<ReturnType<typeof page>>) => [
        first,
        items.map(({ id }) => id),
      ];
      const starts = Array.from({ length: Math.max(1, Math.ceil(count / limit)) }, (_, n) => n * limit);
      const expected = starts.map((start) => [start + 1, all.slice(start, start + limit)]);
      const forwards = [await page()];
      for (let next = forwards[0]?.next; next; next = forwards.at(-1)?.next) forwards.push(await page(next));
      expect(forwards.map(rowsOf)).toEqual(expected);
      const backwards = forwards.slice(-1);
      for (let previous = backwards[0]?.previous; previous; previous = backwards.at(-1)?.previous)
        backwards.push(await page(previous));
      expect(backwards.toReversed().map(rowsOf)).toEqual(expected);
      expect([backwards.at(-1)?.previous, forwards.at(-1)?.next]).toEqual([null, null]);
    }),
  );
});
