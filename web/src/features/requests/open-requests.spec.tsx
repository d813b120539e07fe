import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { OpenRequest } from '#contracts';
import { routes } from '../../api';
import { clipboard, json, problem, renderApp, serve, to, transferOf, withdrawalOf } from '../../testing';
import { OpenRequests } from './open-requests';

const of = { userId: 'amara' };
const waiting = (kind: OpenRequest['kind'], amount: string): OpenRequest => ({
  id: kind.padEnd(34, 'x'),
  kind,
  amount,
  currency: 'USDT',
  createdAt: '2026-05-03T08:52:00.000Z',
  position: '41',
});
const list = to(routes.openRequests, of);

test('lists what waits of every kind, and tells each as its kind is told', async () => {
  const items = [waiting('Funding', '100.00'), waiting('withdrawal', '40.00'), waiting('transfer', '75.00')];
  const [, withdrawal, transfer] = items.map(({ id }) => ({ ...of, requestId: id }));
  serve({
    [list]: () => json({ items, more: false }),
    [to(routes.withdrawal, withdrawal!)]: () => json(withdrawalOf({ amount: '40.00' })),
    [to(routes.transfer, transfer!)]: () => json(transferOf({ amount: '75.00' })),
  });
  const { user } = renderApp(<OpenRequests userId="amara" action={null} />);
  for (const kind of ['Funding, USDT', 'withdrawal, USDT', 'transfer, USDT'])
    expect(await screen.findByText(kind)).toBeTruthy();
  expect(screen.getAllByText('Pending')).toHaveLength(3);

  await user.click(screen.getByRole('button', { name: 'View request of 40.00 USD' }));
  const details = await screen.findByRole('dialog', { name: 'Transaction Details' });
  expect(within(details).getByText(withdrawalOf().walletAddress)).toBeTruthy();
  expect(within(details).getByText('92.50 in the payout currency')).toBeTruthy();
  const copied = clipboard();
  for (const [what, text] of [
    ['Request id', withdrawalOf().id],
    ['Wallet address', withdrawalOf().walletAddress],
  ] as const) {
    await user.click(within(details).getByRole('button', { name: `Copy ${what}` }));
    expect(copied.at(-1)).toBe(text);
  }
  await user.click(within(details).getByRole('button', { name: 'Close' }));

  await user.click(screen.getByRole('button', { name: 'View request of 75.00 USD' }));
  const sent = await screen.findByRole('dialog', { name: 'Transaction Details' });
  expect(within(sent).getByText('On this platform')).toBeTruthy();
  expect(within(sent).getByText('Jonas Lindqvist')).toBeTruthy();
  expect(within(sent).getByText('3084 2219 07')).toBeTruthy();
  await user.click(within(sent).getByRole('button', { name: 'Copy Account number' }));
  expect(copied.at(-1)).toBe('3084221907');
});

test('says when nothing waits, and what to do when that can’t be told', async () => {
  const answers = [() => problem(503, 'unavailable', 'Later.'), () => json({ items: [], more: false })];
  serve({ [list]: () => answers.shift()!() });
  const { user } = renderApp(<OpenRequests userId="amara" action={null} />);
  expect(await screen.findByText('Later.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
});
