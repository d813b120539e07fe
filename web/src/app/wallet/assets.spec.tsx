import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import type { TransactionView } from '#contracts';
import { routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, to } from '../../testing';
import { LastMovements } from '../../features/assets';
import { paths } from '../paths';
import Assets from './assets';

const of = { userId: 'amara' };
const line = (id: string, changes: Partial<TransactionView> = {}): TransactionView => ({
  id,
  userId: 'amara',
  customer: 'Amara Nwosu',
  type: 'credit',
  amount: '500.00',
  currency: 'USDT',
  converted: '500.000000',
  balance: '500.00',
  currencyBalance: '500.000000',
  created: '2026-05-03T08:52:00.000Z',
  source: 'FundingConfirmed',
  description: 'Funding',
  requestId: null,
  position: '41',
  ...changes,
});
const page = (items: readonly TransactionView[], next: string | null = null) =>
  json({ items, first: 1, next, previous: null });
const screenAt = (at: string) =>
  renderApp(
    <Routes>
      <Route path={paths.assets} element={<Assets />} />
    </Routes>,
    { at },
  );

test('shows a wallet of each currency to four decimals, and what moved the one that is opened', async () => {
  const calls = serve({
    [to(routes.account, of)]: () => json(accountOf()),
    [to(routes.ownTransactions, of)]: ({ path }) =>
      path.includes('cursor=abc')
        ? page([line('c', { description: 'Older' })])
        : page(
            [
              line('a'),
              line('b', {
                type: 'debit',
                description: 'Withdrawal',
                converted: '40.500000',
                source: 'WithdrawalConfirmed',
              }),
            ],
            'abc',
          ),
  });
  const { user, router } = screenAt('/auth/assets/amara');
  expect(screen.getByText('Loading wallet data...')).toBeTruthy();
  expect(await screen.findByText('0.0160')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.slice(0, 4))).toEqual([
    '₿BTC',
    '₮USD',
    'πPI0',
  ]);

  await user.click(screen.getByRole('button', { name: /^USDT/ }));
  expect(router.state.location.search).toBe('?wallet=USDT');
  const dialog = await screen.findByRole('dialog', { name: 'USDT transactions' });
  expect(await within(dialog).findByText('+500.0000 USDT')).toBeTruthy();
  expect(within(dialog).getByText('−40.5000 USDT')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Next' }));
  expect(await within(dialog).findByText('Older')).toBeTruthy();
  expect(calls.at(-1)?.path).toContain('currency=USDT');
  await user.keyboard('{Escape}');
  expect(router.state.location.search).toBe('');
});

test('says when wallets can’t be loaded, and when nothing moved one', async () => {
  const answers = [() => problem(503, 'unavailable', 'Later.'), () => json(accountOf())];
  serve({
    [to(routes.account, of)]: () => (answers.shift() ?? (() => json(accountOf())))(),
    [to(routes.ownTransactions, of)]: () => page([]),
  });
  const { user } = screenAt('/auth/assets/amara?wallet=PI');
  expect((await screen.findByRole('alert')).textContent).toContain('Error loading wallet data');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
});

test('shows nobody else’s', () => {
  const calls = serve({});
  screenAt('/auth/assets/somebody-else');
  expect(screen.queryByText('Loading wallet data...')).toBeNull();
  expect(calls).toEqual([]);
});

test('what moved the wallets last stands in all currencies, and says when it can’t be loaded or is nothing', async () => {
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => page([line('a'), line('b', { currency: 'BTC', description: 'Bonus', converted: '0.010000' })]),
  ];
  const calls = serve({ [to(routes.ownTransactions, of)]: () => (answers.shift() ?? (() => page([])))() });
  const { user, unmount } = renderApp(<LastMovements userId="amara" action={null} />);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('+500.0000 USDT')).toBeTruthy();
  expect(screen.getByText('+0.0100 BTC')).toBeTruthy();
  expect(calls.map(({ path }) => path.includes('limit=5') && !path.includes('currency'))).toEqual([
    true,
    true,
  ]);
  unmount();

  renderApp(<LastMovements userId="amara" action={null} />);
  expect(await screen.findByText('Nothing has moved yet.')).toBeTruthy();
});
