import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { routes } from '../../api';
import { json, renderApp, serve, to, withdrawalOf } from '../../testing';
import { paths } from '../paths';
import WithdrawalHistory from './withdrawal-history';

test('a withdrawal that was paid says what its payment is found by', async () => {
  const paid = { status: 'confirmed', closed: true, payoutReference: '4a5e1e4baab89f3a' } as const;
  const items = [withdrawalOf({ id: 'a', amount: '20.00', ...paid }), withdrawalOf({ id: 'b' })];
  serve({
    [to(routes.ownWithdrawals, { userId: 'amara' })]: () =>
      json({ items, first: 1, next: null, previous: null }),
  });
  const screens = (
    <Routes>
      <Route path={paths.withdrawalHistory} element={<WithdrawalHistory />} />
    </Routes>
  );
  const { user } = renderApp(screens, { at: '/withdrawal-request-history/amara' });
  const details = async (amount: string) => {
    await user.click(await screen.findByRole('button', { name: `View request of ${amount} USD` }));
    return within(await screen.findByRole('dialog', { name: 'Transaction Details' }));
  };
  const dialog = await details('20.00');
  expect(dialog.getByText('Payout reference')).toBeTruthy();
  expect(dialog.getByText('4a5e1e4baab89f3a')).toBeTruthy();
  await user.keyboard('{Escape}');
  expect((await details('100.00')).queryByText('Payout reference')).toBeNull();
});
