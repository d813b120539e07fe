import { expect, test } from '@jest/globals';
import { ListOpenRequests, ListOpenRequestsHandler } from './open.js';

/** So many requests, one a second. */
const rowsOf = (name: string, count: number, millisecond: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `${name}${n}`,
    type: 'Funding',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, n, millisecond)).toISOString(),
  }));

const openOf = async (requests: number, transfers: number) => {
  const kept: Readonly<Record<string, readonly object[]>> = {
    requests: rowsOf('r', requests, 0),
    transfers: rowsOf('t', transfers, 500),
  };
  const readStore = {
    list: async (collection: string, { direction, limit }: { direction: string; limit: number }) => {
      const rows = kept[collection] ?? [];
      return (direction === 'descending' ? rows.toReversed() : rows).slice(0, limit);
    },
  };
  const handler = new ListOpenRequestsHandler({ readStore } as never);
  const { items, more } = await handler.execute(new ListOpenRequests('ann'));
  return { ids: items.map(({ id }) => id), more };
};

test('requests of all kinds that wait are listed together, the newest first', async () => {
  expect(await openOf(2, 2)).toEqual({ ids: ['t1', 'r1', 't0', 'r0'], more: false });
});

test('of more than one answer has, the newest are listed, and that there are more', async () => {
  const { ids, more } = await openOf(60, 0);
  expect([ids.length, ids[0], ids.at(-1), more]).toEqual([50, 'r59', 'r10', true]);
});
