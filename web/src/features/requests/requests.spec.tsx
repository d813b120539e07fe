import { describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { pathOf, routes } from '../../api';
import { json, problem, renderApp, requestOf, serve, to } from '../../testing';
import { viewOf, withCursor, withFilter } from './filter';
import { fundRequests } from './fund-requests';
import { RequestList } from './request-list';
import { settle } from './use-request-list';

const pageOf = (...ids: string[]) => ({
  items: ids.map((id) => requestOf({ id, amount: `${ids.length}00.00`, customer: `Customer ${id}` })),
  first: 1,
  next: null,
  previous: null,
});

describe('the address of a list', () => {
  test('is read without words that are not ours', () => {
    const view = viewOf(new URLSearchParams('status=Pending&currency=EUR&cursor=abc'));
    expect(view).toEqual({ status: 'Pending', currency: undefined, cursor: 'abc' });
  });
  test('loses its place when a filter changes, and keeps the other filters', () => {
    const search = new URLSearchParams('status=Pending&cursor=abc');
    expect(withFilter(search, 'currency', 'PI').toString()).toBe('status=Pending&currency=PI');
    expect(withFilter(search, 'status').toString()).toBe('');
    expect(withCursor(search, 'def').toString()).toBe('status=Pending&cursor=def');
  });
});

describe('settling', () => {
  test('keeps rows where they are, counts the new ones, and marks those that left', () => {
    const { rows, waiting } = settle(pageOf('c', 'b', 'a'), pageOf('e', 'd', 'c', 'a'));
    expect(rows.map(({ request, left }) => [request.id, left])).toEqual([
      ['c', false],
      ['b', true],
      ['a', false],
    ]);
    expect(waiting).toBe(2);
  });
});

test('a fund request’s row says where its deposit went, and nothing of one that was kept without', async () => {
  const items = [requestOf({ id: 'a' }), requestOf({ id: 'b', address: null })];
  serve({ [to(routes.ownFundRequests, { userId: 'amara' })]: () => json({ ...pageOf(), items }) });
  renderApp(<RequestList kind={fundRequests} userId="amara" forAdmin={false} dialog={() => null} />);
  const address = await screen.findByTitle(requestOf().address ?? '');
  expect(address.textContent).toBe('bc1qplatfo…000001');
  const column = screen.getAllByRole('columnheader').findIndex((head) => head.textContent === 'Address');
  expect(screen.getAllByRole('row').map((row) => row.children[column]?.textContent)).toEqual([
    'Address',
    'bc1qplatfo…000001',
    '–',
  ]);
});

test('an address that names a request opens it, and closing it leaves the list', async () => {
  const of = { userId: 'amara', requestId: 'R'.repeat(34) };
  serve({
    [to(routes.ownFundRequests, { userId: 'amara' })]: () => json(pageOf('b')),
    [to(routes.fundRequest, of)]: () => json(requestOf({ id: of.requestId, amount: '321.00' })),
  });
  const { user, router } = renderApp(
    <RequestList kind={fundRequests} userId="amara" forAdmin={false} dialog={() => null} />,
    { at: `/?status=Pending&request=${of.requestId}` },
  );
  const dialog = await screen.findByRole('dialog', { name: 'Fund request' });
  expect(dialog.textContent).toContain('321.00 USD');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toBe('?status=Pending');
});

test('new rows wait behind a button, and the filter is in the address', async () => {
  let ids = ['b', 'a'];
  const own = { userId: 'amara' };
  const calls = serve({ [to(routes.ownFundRequests, own)]: () => json(pageOf(...ids)) });
  const { user, router, announceRequests } = renderApp(
    <RequestList kind={fundRequests} userId="amara" forAdmin dialog={() => null} />,
    { role: 'admin' },
  );
  expect(await screen.findByRole('button', { name: /by Customer b$/ })).toBeTruthy();

  ids = ['c', 'b', 'a'];
  announceRequests();
  await user.click(await screen.findByRole('button', { name: '1 new' }));
  expect(await screen.findByRole('button', { name: /by Customer c$/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /new$/ })).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Add filter' }));
  await user.click(screen.getByRole('menuitem', { name: 'Pending' }));
  await waitFor(() =>
    expect(calls.at(-1)?.path).toBe(`${pathOf(routes.ownFundRequests, own)}?status=Pending&limit=10`),
  );
  expect(router.state.location.search).toBe('?status=Pending');
  await user.click(screen.getByRole('button', { name: 'Remove filter Status: Pending' }));
  expect(router.state.location.search).toBe('');
});

test('all of a list as it is narrowed is taken away as a file, or it says why not', async () => {
  Object.assign(URL, { createObjectURL: () => 'blob:list', revokeObjectURL: () => undefined });
  const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  let works = true;
  const calls = serve({
    [to(routes.ownFundRequests, { userId: 'amara' })]: ({ headers }) => {
      if (headers.get('accept') !== 'text/csv') return json(pageOf('b'));
      return works ? new Response('a,b') : problem(503, 'overloaded', 'Too many files.');
    },
  });
  const { user } = renderApp(
    <RequestList kind={fundRequests} userId="amara" forAdmin={false} dialog={() => null} />,
    { at: '/?status=Pending&cursor=abc' },
  );
  await user.click(await screen.findByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(clicked).toHaveBeenCalledTimes(1));
  const [link] = clicked.mock.contexts as HTMLAnchorElement[];
  expect(link?.download).toBe('fund-requests.csv');
  expect(calls.at(-1)?.path).toBe(`${pathOf(routes.ownFundRequests, { userId: 'amara' })}?status=Pending`);
  works = false;
  await user.click(screen.getByRole('button', { name: 'CSV' }));
  expect(await screen.findByText('Too many files.')).toBeTruthy();
  clicked.mockRestore();
});

test('an empty list says so, with both ways disabled', async () => {
  serve({ [to(routes.ownFundRequests, { userId: 'amara' })]: () => json(pageOf()) });
  renderApp(<RequestList kind={fundRequests} userId="amara" forAdmin={false} dialog={() => null} />);
  expect(await screen.findByText('No logs available.')).toBeTruthy();
  for (const name of ['Previous', 'Next']) {
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true);
  }
});
