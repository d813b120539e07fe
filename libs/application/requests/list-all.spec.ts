import { expect, test } from '@jest/globals';
import { ListRequests, ListRequestsHandler } from './list-all.js';

const AT = '2026-01-01T00:00:00.000Z';
const rowOf = (id: string, more = {}) => ({
  id,
  userId: 'ann',
  createdAt: AT,
  decision: null,
  closed: true,
  ...more,
});

/** What the read store has of each collection, in the order of its index. */
const requests: Readonly<Record<string, readonly object[]>> = {
  Funding: [rowOf('b')],
  withdrawal: [rowOf('d')],
};
const transfers = [rowOf('a'), rowOf('c'), rowOf('e', { createdAt: '2026-01-02T00:00:00.000Z' })];

const readStore = {
  list: async (
    collection: string,
    { equals, direction }: { equals: { type?: string }; direction: string },
  ) => {
    const rows = collection === 'transfers' ? transfers : (requests[equals.type ?? ''] ?? []);
    return direction === 'ascending' ? rows : rows.toReversed();
  },
  getMany: async () => [],
};

test.each([
  ['newest', ['e', 'd', 'c', 'b', 'a']],
  ['oldest', ['a', 'b', 'c', 'd', 'e']],
] as const)(
  'requests of all kinds of one instant stand in the order of their ids, the %s first',
  async (order, ids) => {
    const handler = new ListRequestsHandler({ readStore } as never);
    const { items } = await handler.execute(new ListRequests({ order, limit: 10 }));
    expect(items.map(({ id }) => id)).toEqual(ids);
  },
);
