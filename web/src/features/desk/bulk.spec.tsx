import { expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { adminRoutes, routes } from '../../api';
import { setSingleKeys } from '../../lib';
import { accountOf, json, problem, renderApp, requestOf, serve, to, withdrawalOf } from '../../testing';
import { fundDesk, withdrawalDesk } from './kinds';
import { RequestDesk } from './request-desk';

const items = [
  withdrawalOf({ id: 'a'.repeat(34), customer: 'Amara Nwosu', amount: '100.00' }),
  withdrawalOf({ id: 'b'.repeat(34), customer: 'Bola Ade', amount: '40.50', currency: 'BTC' }),
  withdrawalOf({ id: 'c'.repeat(34), customer: 'Chidi Eze', amount: '9.50' }),
  withdrawalOf({ id: 'd'.repeat(34), customer: 'Dayo Bello', status: 'confirmed', closed: true }),
];
const decided = (id: string) =>
  ({ status: 'decided', key: id, userId: 'amara', requestId: id, replayed: false, position: '50' }) as const;
const closed = { type: 'about:blank', title: 'Refused', status: 409, code: 'request_closed' } as const;

function open(decide: (body: unknown) => Response = () => json({})) {
  const calls = serve({
    [to(adminRoutes.withdrawals)]: () => json({ items, first: 1, next: null, previous: null }),
    [to(routes.account, { userId: 'amara' })]: () => json(accountOf()),
    [to(routes.prices)]: () => json({ prices: { BTC: '1.0', PI: '1.0', USDT: '1.0' } }),
    [to(adminRoutes.decideRequests)]: ({ body }) => decide(body),
    [to(adminRoutes.confirmWithdrawal, { userId: 'amara', requestId: 'a'.repeat(34) })]: () =>
      json({ requestId: 'a'.repeat(34), status: 'confirmed', position: '50', message: 'ok' }),
  });
  return { calls, ...renderApp(<RequestDesk kind={withdrawalDesk} />, { role: 'admin' }) };
}

const select = (name: string) => screen.findByRole('checkbox', { name: new RegExp(`by ${name}$`) });

test('what is selected is listed with its sums, sent with one reason, and told of one by one', async () => {
  const [one, two] = ['a'.repeat(34), 'c'.repeat(34)];
  const { calls, user } = open(() =>
    json({
      position: '50',
      message: '1 of 2 requests are confirmed.',
      decided: 1,
      replayed: 0,
      refused: 1,
      results: [
        decided(one),
        {
          status: 'refused',
          key: two,
          userId: 'amara',
          requestId: two,
          problem: { ...closed, detail: 'Transaction Closed', errors: [] },
        },
      ],
    }),
  );
  await user.click(await select('Amara Nwosu'));
  await user.click(await select('Chidi Eze'));
  expect(screen.queryByRole('checkbox', { name: /Dayo/ })).toBeNull();
  expect(screen.getByText('2 selected')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Confirm selected' }));
  const dialog = await screen.findByRole('dialog', { name: 'Confirm selected requests' });
  expect(dialog.textContent).toContain('Paid in USDT109.50 USD');
  const taken = /^100.00 USD, 100.000* USDT leave what is on hold$/;
  expect(within(dialog).getByRole('cell', { name: taken })).toBeTruthy();
  await user.type(within(dialog).getByLabelText('Reason, kept with each decision'), 'Paid');
  await user.click(within(dialog).getByRole('button', { name: 'Confirm 2' }));
  expect(await within(dialog).findByText('Transaction Closed')).toBeTruthy();
  expect(within(dialog).getByText('confirmed')).toBeTruthy();
  const sent = calls.find(({ method }) => method === 'POST')?.body as { items: { key: string }[] };
  expect(sent).toMatchObject({
    verdict: 'confirm',
    reason: 'Paid',
    items: [{ requestId: one }, { requestId: two }],
  });
  expect(new Set(sent.items.map(({ key }) => key)).size).toBe(2);
  await user.click(within(dialog).getByRole('button', { name: 'Close list' }));
  expect(screen.queryByText('2 selected')).toBeNull();
});

test('says of each deposit what it is booked as at the price in force, and that rejecting it moves nothing', async () => {
  serve({
    [to(adminRoutes.fundRequests)]: () =>
      json({
        items: [requestOf({ amount: '30.00', currency: 'BTC' })],
        first: 1,
        next: null,
        previous: null,
      }),
    [to(routes.prices)]: () => json({ prices: { BTC: '60000.0', PI: '1.0', USDT: '1.0' } }),
  });
  const { user } = renderApp(<RequestDesk kind={fundDesk} />, { role: 'admin' });
  await user.click(await screen.findByRole('checkbox', { name: /^Select/ }));
  for (const [act, effect] of [
    ['Confirm', '+30.00 USD, +0.0005 BTC'],
    ['Reject', 'No balance changes'],
  ] as const) {
    await user.click(screen.getByRole('button', { name: `${act} selected` }));
    const dialog = within(await screen.findByRole('dialog', { name: `${act} selected requests` }));
    expect(await dialog.findByRole('cell', { name: effect })).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  }
});

test('one that only gained an approval is not told as decided', async () => {
  const id = 'a'.repeat(34);
  const { user } = open(() =>
    json({
      position: '50',
      message: '0 of 1 requests are confirmed.',
      decided: 0,
      waiting: 1,
      replayed: 0,
      refused: 0,
      results: [{ ...decided(id), approvals: { given: 1, needed: 2 } }],
    }),
  );
  await user.click(await select('Amara Nwosu'));
  await user.click(screen.getByRole('button', { name: 'Confirm selected' }));
  const dialog = await screen.findByRole('dialog', { name: 'Confirm selected requests' });
  await user.click(within(dialog).getByRole('button', { name: 'Confirm 1' }));
  expect(await within(dialog).findByText('approval recorded, 1 of 2')).toBeTruthy();
  expect(within(dialog).queryByText('confirmed')).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Close list' }));
  expect(screen.queryByText('1 selected')).toBeNull();
});

test('a failure keeps what is selected, and it is sent again under the same keys', async () => {
  const { calls, user } = open(() => problem(503, 'unavailable', 'Later.'));
  await user.click(await select('Bola Ade'));
  await user.click(screen.getByRole('button', { name: 'Reject selected' }));
  const dialog = await screen.findByRole('dialog', { name: 'Reject selected requests' });
  expect(within(dialog).getByRole('cell', { name: /are available again$/ })).toBeTruthy();
  for (const _press of [1, 2])
    await user.click(await within(dialog).findByRole('button', { name: 'Reject 1' }));
  await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2));
  const [first, second] = calls
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => (body as { items: { key: string }[] }).items[0]?.key);
  expect(first).toBe(second);
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByText('1 selected')).toBeTruthy();
});

test('keys go from row to row, select, and open; in a field, or where they are switched off, they are letters', async () => {
  const { user } = open();
  await select('Amara Nwosu');
  const focused = () => document.activeElement?.getAttribute('aria-label');
  await user.keyboard('j');
  expect(focused()).toBe('Decide request of 100.00 USD by Amara Nwosu');
  await user.keyboard('jjjjk');
  expect(focused()).toBe('Decide request of 9.50 USD by Chidi Eze');
  await user.keyboard('x');
  expect(screen.getByText('1 selected')).toBeTruthy();
  await user.keyboard('x');
  expect(screen.queryByText('1 selected')).toBeNull();
  await user.keyboard('r');
  const dialog = await screen.findByRole('dialog', { name: 'Transaction Details' });
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Reject'));
  await user.type(within(dialog).getByLabelText('Reason, kept with the decision'), 'crjk');
  expect(screen.getByRole('dialog', { name: 'Transaction Details' })).toBeTruthy();
  await user.keyboard('{Escape}');
  setSingleKeys(false);
  await user.keyboard('kx');
  expect(screen.queryByText('1 selected')).toBeNull();
  setSingleKeys(true);
});

test('the key of a confirmation opens a row, confirms it in its dialog, and asks about what is selected', async () => {
  const { calls, user } = open();
  await select('Amara Nwosu');
  await user.keyboard('jc');
  await screen.findByRole('dialog', { name: 'Transaction Details' });
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Approve'));
  // The key that opened the row is still held.
  fireEvent.keyDown(document.activeElement!, { key: 'c', repeat: true });
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await user.keyboard('c');
  expect(await screen.findByText('Transaction approved successfully!')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'POST').map(({ name }) => name)).toEqual([
    to(adminRoutes.confirmWithdrawal, { userId: 'amara', requestId: 'a'.repeat(34) }),
  ]);
  await user.keyboard('jxc');
  expect(await screen.findByRole('dialog', { name: 'Confirm selected requests' })).toBeTruthy();
});
