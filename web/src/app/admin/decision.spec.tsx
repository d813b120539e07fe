import { beforeAll, expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { routes } from '../../api';
import { fundRequests, RequestList } from '../../features/requests';
import { accountOf, json, problem, renderApp, requestOf, serve, to } from '../../testing';
import { TransactionAction } from './decision';

const ofRequest = { userId: 'amara', requestId: requestOf().id };
const prices = { prices: { BTC: '62410.00000000', PI: '1.00000000', USDT: '1.00000000' } };

beforeAll(() => {
  Object.assign(URL, { createObjectURL: () => 'blob:evidence', revokeObjectURL: () => undefined });
});

function open(confirm: () => Response, request = () => requestOf(), headers = () => ({})) {
  const calls = serve({
    [to(routes.fundRequests)]: () =>
      json({ items: [request()], first: 1, next: null, previous: null }, headers()),
    [to(routes.account, { userId: 'amara' })]: () => json(accountOf()),
    [to(routes.prices)]: () => json(prices),
    [to(routes.file, { fileId: requestOf().evidence.fileId })]: () => new Response('%PDF'),
    [to(routes.confirmFunding, ofRequest)]: confirm,
  });
  const list = (
    <RequestList
      kind={fundRequests}
      forAdmin
      dialog={(row, close) => <TransactionAction row={row} onClose={close} />}
    />
  );
  return { calls, ...renderApp(list, { role: 'admin' }) };
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
  const after = page.calls.findLast(({ name }) => name === to(routes.fundRequests));
  expect(after?.headers.get('lode-position')).toBe('50.3f9a0c1d');
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
