import { expect, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import type { ReceivedTransferView } from '#contracts';
import { api, changed, routes } from '../../api';
import { json, problem, renderApp, serve, to, transferOf } from '../../testing';
import { paths } from '../paths';
import TransferHistory from './transfer-history';

const of = { userId: 'amara' };
const receivedOf = (changes: Partial<ReceivedTransferView> = {}): ReceivedTransferView => ({
  id: 'T'.repeat(34),
  from: { accountName: 'Jonas Lindqvist', accountNumber: '3084221907' },
  amount: '75.00',
  currency: 'BTC',
  converted: '0.00120174',
  narration: 'Rent, December',
  receivedAt: '2026-03-02T09:30:00.000Z',
  position: '812',
  ...changes,
});
const pageOf = (items: readonly unknown[], rest = {}) =>
  json({ items, first: 1, next: null, previous: null, ...rest });

function open(received: (path: string) => Response, query = '?tab=received') {
  const calls = serve({
    [to(routes.ownTransfers, of)]: () => pageOf([transferOf()]),
    [to(routes.receivedTransfers, of)]: ({ path }) => received(path),
  });
  const screens = (
    <Routes>
      <Route path={paths.transferHistory} element={<TransferHistory />} />
    </Routes>
  );
  return { calls, ...renderApp(screens, { at: `/transfer-history/amara${query}` }) };
}
const tabs = () => within(screen.getByRole('navigation', { name: 'Transfers' }));
const current = () => tabs().getByRole('link', { current: 'page' }).textContent;

test('transfers received are beside those sent, at an address of their own', async () => {
  const { user, router } = open(() => pageOf([receivedOf()]), '?status=Pending&cursor=abc');
  expect(await screen.findByText('On this platform')).toBeTruthy();
  expect(current()).toBe('Sent');
  await user.click(tabs().getByRole('link', { name: 'Received' }));
  expect(router.state.location.search).toBe('?tab=received');
  const row = (await screen.findByText('Jonas Lindqvist')).closest('tr');
  for (const text of ['75.00', '0.00120174 BTC', 'Rent, December', '2026-03-02 09:30'])
    expect(row?.textContent).toContain(text);
  expect(current()).toBe('Received');
  await user.click(tabs().getByRole('link', { name: 'Sent' }));
  expect(router.state.location.search).toBe('');
});

test('one of them opens what there is to say of it, and nothing of an account that is gone', async () => {
  const gone = receivedOf({
    id: 'G'.repeat(34),
    from: { accountName: 'forgotten', accountNumber: '' },
    amount: '9.00',
    narration: '',
  });
  const { user } = open(() => pageOf([receivedOf(), gone]));
  await user.click(
    await screen.findByRole('button', { name: 'View transfer of 75.00 USD from Jonas Lindqvist' }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Transfer received' });
  for (const text of ['3084 2219 07', '0.00120174 BTC', 'Rent, December', 'T'.repeat(34)])
    expect(dialog.textContent).toContain(text);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'View transfer of 9.00 USD from forgotten' }));
  const other = await screen.findByRole('dialog', { name: 'Transfer received' });
  expect(
    within(other)
      .getAllByRole('term')
      .map((term) => term.textContent),
  ).toEqual(['Received', 'From', 'Amount', 'Booked', 'Request id']);
});

test('the list says when it is empty or away, goes on by pages, and lets new ones in when asked to', async () => {
  let items = [receivedOf({ id: 'a' })];
  const answers = [() => problem(503, 'unavailable', 'Later.'), () => pageOf([])];
  const { user, router, store, calls } = open(() =>
    (answers.shift() ?? (() => pageOf(items, { next: 'more' })))(),
  );
  expect((await screen.findByRole('alert')).textContent).toContain('Later.');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
  const told = () => act(() => void store.dispatch(api.util.invalidateTags([...changed('transfers', 'a')])));
  told();
  expect(await screen.findByText('Jonas Lindqvist')).toBeTruthy();
  items = [receivedOf({ id: 'b', amount: '12.00' }), ...items];
  told();
  await user.click(await screen.findByRole('button', { name: '1 new' }));
  expect(await screen.findByText('12.00')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(router.state.location.search).toBe('?tab=received&cursor=more');
  await waitFor(() => expect(calls.at(-1)?.path).toContain('cursor=more'));
});
