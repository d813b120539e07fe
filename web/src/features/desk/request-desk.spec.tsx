import { beforeAll, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { adminRoutes, routes } from '../../api';
import {
  accountOf,
  json,
  problem,
  renderApp,
  requestOf,
  serve,
  settingsOf,
  to,
  transferOf,
  waitingOf,
  withdrawalOf,
} from '../../testing';
import { fundDesk, transferDesk, withdrawalDesk } from './kinds';
import { RequestDesk } from './request-desk';

const ofRequest = { userId: 'amara', requestId: requestOf().id };
const prices = { prices: { BTC: '62410.00000000', PI: '1.00000000', USDT: '1.00000000' } };

beforeAll(() => {
  Object.assign(URL, { createObjectURL: () => 'blob:evidence', revokeObjectURL: () => undefined });
});

function open(
  confirm: () => Response,
  request = () => requestOf(),
  headers = () => ({}),
  more: Readonly<Record<string, () => Response>> = {},
) {
  const calls = serve({
    [to(adminRoutes.approvals)]: () => json({ items: [], first: 1, next: null, previous: null }),
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    ...more,
    [to(adminRoutes.evidenceUses, ofRequest)]: () => json({ items: [], hasMore: false }),
    [to(adminRoutes.fundRequests)]: () =>
      json({ items: [request()], first: 1, next: null, previous: null }, headers()),
    [to(routes.account, { userId: 'amara' })]: () => json(accountOf()),
    [to(routes.prices)]: () => json(prices),
    [to(routes.file, { fileId: requestOf().evidence.fileId })]: () => new Response('%PDF'),
    [to(adminRoutes.confirmFunding, ofRequest)]: confirm,
  });
  return { calls, ...renderApp(<RequestDesk kind={fundDesk} />, { role: 'admin' }) };
}

async function openDialog({ user }: ReturnType<typeof open>) {
  await user.click(
    await screen.findByRole('button', { name: 'Decide request of 100.00 USD by Amara Nwosu' }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Transaction Action' });
  await within(dialog).findByRole('link', { name: 'Download' });
  return dialog;
}

test('shows what confirming would change, by the ledger’s arithmetic, and sends the reason with the decision', async () => {
  const page = open(() =>
    json(
      { requestId: requestOf().id, status: 'confirmed', position: '50', message: 'ok' },
      { 'lode-position': '50.3f9a0c1d' },
    ),
  );
  const dialog = await openDialog(page);
  expect(await within(dialog).findByText('2,580.00')).toBeTruthy();
  // 0.016 + 100 ÷ 62,410 = 0.01760230…, cut and not rounded.
  expect(within(dialog).getByText('0.0176')).toBeTruthy();
  await page.user.type(within(dialog).getByLabelText('Reason, kept with the decision'), 'Seen on chain');
  await page.user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Transaction approved successfully!')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  const sent = page.calls.find(({ method }) => method === 'POST');
  expect(sent?.body).toEqual({ reason: 'Seen on chain' });
  expect(sent?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  const after = page.calls.findLast(({ name }) => name === to(adminRoutes.fundRequests));
  expect(after?.headers.get('lode-position')).toBe('50.3f9a0c1d');
});

test('how many admins approved a request stands beside it, and its next approval says what it does', async () => {
  const count = { given: 1, needed: 3 };
  const waiting = waitingOf({ id: requestOf().id, kind: 'funding', approvals: count });
  const page = open(
    () => json({}),
    () => requestOf({ approvals: count }),
    undefined,
    { [to(adminRoutes.approvals)]: () => json({ items: [waiting], first: 1, next: null, previous: null }) },
  );
  expect(await screen.findByText('1 of 3 approvals')).toBeTruthy();
  expect(screen.getByText('Pending')).toBeTruthy();
  const dialog = await openDialog(page);
  expect(within(dialog).getByText('1 of 3 approvals')).toBeTruthy();
  expect(within(dialog).getByText('Daniel Osei')).toBeTruthy();
  expect(
    within(dialog).getByText('It takes 3 admins. Yours is approval 2 of 3, and moves nothing yet.'),
  ).toBeTruthy();
});

test('an amount above a limit says that confirming it is the first approval', async () => {
  const tiers = { BTC: [{ above: '50.00', approvals: 2 }], PI: [], USDT: [] };
  const settings = settingsOf({ approvalLimits: { tiers, expireHours: 72 } });
  const page = open(
    () => json({}),
    () => requestOf(),
    undefined,
    {
      [to(adminRoutes.settings)]: () => json(settings),
      [to(adminRoutes.approvalsNeeded)]: () => json({ approvals: 2, moved: '0.00' }),
    },
  );
  const dialog = await openDialog(page);
  expect(
    await within(dialog).findByText('It takes 2 admins. Yours is approval 1 of 2, and moves nothing yet.'),
  ).toBeTruthy();
  expect(page.calls.find(({ name }) => name === to(adminRoutes.approvalsNeeded))?.path).toContain(
    'currency=BTC&amount=100.00',
  );
});

test('an approval that is not the last one is told as such, and as nothing else', async () => {
  const page = open(() =>
    json({
      requestId: requestOf().id,
      status: 'Pending',
      position: '50',
      message: 'Approval recorded, 1 of 2.',
      approvals: { given: 1, needed: 2 },
    }),
  );
  const dialog = await openDialog(page);
  await page.user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Approval recorded, 1 of 2.')).toBeTruthy();
  expect(screen.queryByText('Transaction approved successfully!')).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a list that is behind somebody else’s event that can’t be read shows the decision all the same', async () => {
  let current = requestOf();
  const page = open(
    () => {
      current = requestOf({ status: 'confirmed', closed: true });
      return json(
        { requestId: requestOf().id, status: 'confirmed', position: '50', message: 'ok' },
        { 'lode-position': '50.3f9a0c1d' },
      );
    },
    () => current,
    () => ({ 'lode-held': 'true' }),
  );
  const dialog = await openDialog(page);
  await page.user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('confirmed')).toBeTruthy();
  expect(screen.queryByText('updating')).toBeNull();
});

test('a request that was decided here is shown as updating until its list has the decision', async () => {
  let current = requestOf();
  let isBehind = false;
  const page = open(
    () => {
      isBehind = true;
      return json(
        { requestId: requestOf().id, status: 'confirmed', position: '50', message: 'ok' },
        { 'lode-position': '50.3f9a0c1d' },
      );
    },
    () => current,
    () => (isBehind ? { 'lode-stale': 'true' } : {}),
  );
  const dialog = await openDialog(page);
  await page.user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('updating')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Decide/ })).toBeNull();

  current = requestOf({
    status: 'confirmed',
    closed: true,
    decision: { at: '2026-05-03T09:00:00.000Z', by: 'Mary Okafor' },
  });
  isBehind = false;
  page.announceRequests();
  expect(await screen.findByText('confirmed')).toBeTruthy();
  expect(screen.queryByText('updating')).toBeNull();
});

test.each([
  ['request_closed', 'Transaction Closed'],
  ['request_already_confirmed', 'Transaction already confirmed'],
] as const)('a second decision that is refused as %s says %j and closes', async (code, words) => {
  const page = open(() => problem(409, code, 'refused'));
  const dialog = await openDialog(page);
  await page.user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a failure keeps the dialog and repeats the same command', async () => {
  const page = open(() => problem(503, 'unavailable', 'Later.'));
  const dialog = await openDialog(page);
  for (const _press of [1, 2]) {
    await page.user.click(await within(dialog).findByRole('button', { name: 'Confirm' }));
    await within(dialog).findByRole('button', { name: 'Confirm' });
  }
  expect(screen.getAllByText('Failed to approve the transaction.').length).toBeGreaterThan(0);
  const keys = page.calls
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test('a decision that may have been made keeps the dialog, says so, and is sent again under its key', async () => {
  let tries = 0;
  const page = open(() => {
    tries += 1;
    if (tries === 1) return problem(503, 'unknown_outcome', 'It is not known.');
    return json({ requestId: requestOf().id, status: 'confirmed', position: '50', message: 'ok' });
  });
  const dialog = await openDialog(page);
  await page.user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect(
    await screen.findByText("We don't know yet whether this was done. Send it again: it is never done twice"),
  ).toBeTruthy();
  expect(screen.queryByText('Failed to approve the transaction.')).toBeNull();
  await page.user.click(await within(dialog).findByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Transaction approved successfully!')).toBeTruthy();
  const keys = page.calls
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test('the open dialog loses its buttons when somebody else decides', async () => {
  let current = requestOf();
  const page = open(
    () => json({}),
    () => current,
  );
  const dialog = await openDialog(page);
  current = requestOf({
    status: 'rejected',
    closed: true,
    decision: { at: '2026-05-03T09:00:00.000Z', by: 'Jonas Berg', reason: 'No such deposit' },
  });
  page.announceRequests();
  expect(await within(dialog).findByText('Transaction Closed')).toBeTruthy();
  expect(within(dialog).getByText('by Jonas Berg')).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: 'Confirm' })).toBeNull();
});

const ofAmara = { userId: 'amara' };
const held = {
  wallet: { balance: '2480.00', available: '2305.00', held: '175.00' },
  balances: {
    ...accountOf().balances,
    USDT: { balance: '150.000000', available: '50.000000', held: '100.000000' },
  },
};

test('a withdrawal is approved out of what was set aside for it, at the price of then', async () => {
  const decide = { ...ofAmara, requestId: withdrawalOf().id };
  const calls = serve({
    [to(adminRoutes.withdrawals)]: () =>
      json({ items: [withdrawalOf()], first: 1, next: null, previous: null }),
    [to(routes.account, ofAmara)]: () => json(accountOf(held)),
    [to(routes.prices)]: () => json(prices),
    [to(adminRoutes.confirmWithdrawal, decide)]: () =>
      json({ requestId: decide.requestId, status: 'confirmed', position: '50', message: 'ok' }),
  });
  const { user } = renderApp(<RequestDesk kind={withdrawalDesk} />, { role: 'admin' });
  await user.click(
    await screen.findByRole('button', { name: 'Decide request of 100.00 USD by Amara Nwosu' }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Transaction Details' });
  const rowOf = (name: string) => within(dialog).getByRole('row', { name: new RegExp(`^${name}`) });
  await within(dialog).findByText('2,380.00');
  expect(rowOf('Wallet, USD').textContent).toContain('2,480.00');
  expect(rowOf('On hold, USD').textContent).toBe('On hold, USD175.00 →75.00');
  expect(rowOf('USDT at 1.00').textContent).toBe('USDT at 1.00150.0000 →50.0000');
  expect(dialog.textContent).toContain('Rejecting makes the 100.00 USD on hold available to Amara Nwosu');
  for (const term of ['Created', 'Name', 'Wallet Address', 'Amount', 'Type', 'Status'])
    expect(within(dialog).getByText(term)).toBeTruthy();
  expect(within(dialog).getAllByRole('button', { name: 'Close' })).toHaveLength(2);
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Transaction approved successfully!')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('a customer’s transfer is rejected from the address that names it, which the list is left at', async () => {
  const decide = { ...ofAmara, requestId: transferOf().id };
  serve({
    [to(routes.ownTransfers, ofAmara)]: () =>
      json({ items: [transferOf()], first: 1, next: null, previous: null }),
    [to(routes.transfer, decide)]: () => json(transferOf()),
    [to(routes.account, ofAmara)]: () => json(accountOf(held)),
    [to(routes.prices)]: () => json(prices),
    [to(adminRoutes.rejectTransfer, decide)]: () =>
      json({ requestId: decide.requestId, status: 'rejected', position: '50', message: 'ok' }),
  });
  const { user, router } = renderApp(<RequestDesk kind={transferDesk} userId="amara" />, {
    role: 'admin',
    at: `/?status=Pending&request=${decide.requestId}`,
  });
  const dialog = await screen.findByRole('dialog', { name: 'Confirm or Reject Transaction' });
  await user.click(await within(dialog).findByRole('button', { name: 'Reject' }));
  expect(await screen.findByText('Transaction rejected successfully!')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toBe('?status=Pending');
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads.slice(0, 7)).toEqual(['S/N', 'Created', 'Name', 'Amount, USD', 'Bank', 'Type', 'Status']);
});

test('a refusal that leaves the request open is told in the service’s words', async () => {
  const page = open(() => problem(422, 'not_a_customer', 'This account is no customer’s.'));
  const dialog = await openDialog(page);
  await page.user.click(within(dialog).getByRole('button', { name: 'Confirm' }));
  expect((await within(dialog).findByRole('alert')).textContent).toBe('This account is no customer’s.');
});
