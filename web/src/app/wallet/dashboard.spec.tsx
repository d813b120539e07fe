import { afterEach, expect, jest, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { adminRoutes, routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, to } from '../../testing';
import WalletDashboard from './dashboard';

afterEach(() => {
  jest.useRealTimers();
});

test('an account that can’t be read now is asked for again by itself, and the actions stay meanwhile', async () => {
  jest.useFakeTimers();
  let tries = 0;
  serve({
    [to(routes.account, { userId: 'amara' })]: () => {
      tries += 1;
      return tries < 3 ? problem(503, 'unavailable', 'A part is away.') : json(accountOf());
    },
    [to(adminRoutes.fundRequests)]: () => json({ items: [], next: null, position: '1' }),
  });
  renderApp(<WalletDashboard />);
  for (const failed of [1, 2]) {
    await act(() => jest.advanceTimersByTimeAsync(failed === 1 ? 1_000 : 5_000));
    expect(screen.getByText('This could not be loaded.')).toBeTruthy();
    expect([tries, screen.getByRole('button', { name: 'Logout' }).isConnected]).toEqual([failed, true]);
  }
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  expect(screen.getByRole('region', { name: 'Wallet' })).toBeTruthy();
  expect(tries).toBe(3);
});
