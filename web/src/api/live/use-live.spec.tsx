import { expect, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import type { Change } from '#contracts';
import { accountOf, json, renderApp, requestOf, serve, to } from '../../testing';
import {
  useAccountQuery,
  useOwnFundRequestsQuery,
  usePricesQuery,
  useTotalsQuery,
  adminRoutes,
  routes,
} from '..';
import { useLive } from './use-live';

function Page() {
  useLive();
  useAccountQuery({ userId: 'amara' });
  useAccountQuery({ userId: 'bayo' });
  useOwnFundRequestsQuery({ userId: 'amara' });
  usePricesQuery();
  useTotalsQuery();
  return null;
}

const answered = {
  amara: to(routes.account, { userId: 'amara' }),
  bayo: to(routes.account, { userId: 'bayo' }),
  list: to(routes.ownFundRequests, { userId: 'amara' }),
  prices: to(routes.prices),
  totals: to(adminRoutes.totals),
};

/** A page that shows two accounts, a list, prices and sums, and the stream that tells it of changes. */
async function open() {
  let push: (text: string) => void = () => undefined;
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      push = (text) => controller.enqueue(encoder.encode(text));
    },
  });
  const calls = serve({
    [to(routes.live)]: () => new Response(stream),
    [answered.amara]: () => json(accountOf()),
    [answered.bayo]: () => json(accountOf({ userId: 'bayo' })),
    [answered.list]: () => json({ items: [requestOf()], first: 1, next: null, previous: null }),
    [answered.prices]: () => json({ prices: {} }),
    [answered.totals]: () => json({ users: 2 }),
  });
  const asked = () =>
    Object.fromEntries(
      Object.entries(answered).map(([what, name]) => [
        what,
        calls.filter((call) => call.name === name).length,
      ]),
    );
  renderApp(<Page />, { role: 'admin' });
  await waitFor(() => expect(asked()).toEqual({ amara: 1, bayo: 1, list: 1, prices: 1, totals: 1 }));
  const tell = (collection: Change['collection'], id: string) =>
    push(`id: 41\nevent: change\ndata: ${JSON.stringify({ collection, id, position: '41' })}\n\n`);
  return { tell, asked, push: (text: string) => push(text) };
}

const once = { amara: 1, bayo: 1, list: 1, prices: 1, totals: 1 };

test.each<[string, Change['collection'], string, Partial<typeof once>]>([
  ['an account is asked for again, and no other one', 'accounts', 'bayo', { bayo: 2 }],
  ['a request that a list shows', 'requests', requestOf().id, { list: 2 }],
  ['a request that is new to the list', 'requests', 'R2'.padEnd(34, 'x'), { list: 2 }],
  ['the prices', 'settings', 'prices', { prices: 2 }],
  ['the sums', 'totals', 'totals', { totals: 2 }],
])('a change is fetched where it shows: %s', async (_what, collection, id, again) => {
  const { tell, asked } = await open();
  tell(collection, id);
  await waitFor(() => expect(asked()).toEqual({ ...once, ...again }));
});

test('changes that come together are fetched together', async () => {
  const { tell, asked } = await open();
  tell('requests', requestOf().id);
  tell('requests', 'R2'.padEnd(34, 'x'));
  tell('accounts', 'amara');
  await waitFor(() => expect(asked()).toEqual({ ...once, list: 2, amara: 2 }));
});

test('everything is fetched when nobody knows what changed', async () => {
  const { push, asked } = await open();
  push('event: reset\ndata: {}\n\n');
  await waitFor(() => expect(asked()).toEqual({ amara: 2, bayo: 2, list: 2, prices: 2, totals: 2 }));
});
