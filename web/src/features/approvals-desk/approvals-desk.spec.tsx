import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { WaitingApproval } from '#contracts';
import { adminRoutes, routes } from '../../api';
import {
  accountOf,
  clipboard,
  json,
  problem,
  renderApp,
  requestOf,
  serve,
  settingsOf,
  to,
  waitingOf,
} from '../../testing';
import { ApprovalList, WaitingAdjustmentsOf } from '.';

const adjustment = waitingOf();
const ofAdjustment = { userId: 'amara', requestId: adjustment.id };
const prices = { prices: { BTC: '62410.00000000', PI: '1.00000000', USDT: '1.00000000' } };
const admin = (userId: string, name: string, duty = 'owner', status = 'active') => ({
  userId,
  name,
  email: `${userId}@example.com`,
  duty,
  status,
});

/** The service with what waits, which changes under its reader's hand. */
function service(
  waits: { items: readonly WaitingApproval[] },
  acts: Record<string, () => Response> = {},
  others: readonly ReturnType<typeof admin>[] = [],
) {
  return serve({
    [to(adminRoutes.approvals)]: () => json({ items: waits.items, first: 1, next: null, previous: null }),
    [to(routes.account, { userId: 'amara' })]: () => json(accountOf()),
    [to(routes.prices)]: () => json(prices),
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [to(adminRoutes.admins)]: () =>
      json({
        admins: [
          admin('marta', 'Marta Okafor'),
          admin('daniel', 'Daniel Osei'),
          admin('ivy', 'Ivy Lund', 'finance'),
          admin('sue', 'Sue Park', 'support'),
          admin('max', 'Max Roth', 'owner', 'suspended'),
          ...others,
        ],
      }),
    ...acts,
  });
}
const open = (at = '/') => renderApp(<ApprovalList />, { role: 'admin', at });
const openIt = () =>
  screen.findByRole('button', { name: 'Open adjustment of +1,500.00 USD for Amara Nwosu' });
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Waiting adjustment' }));

test('an adjustment that waits is told with its effect and who asked for it, and approved with a reason', async () => {
  const waits = { items: [adjustment] };
  const calls = service(waits, {
    [to(adminRoutes.approveAdjustment, ofAdjustment)]: () => {
      waits.items = [];
      const message = 'Transaction approved successfully!';
      return json({ requestId: adjustment.id, status: 'confirmed', position: '50', message });
    },
  });
  const { router, user } = open();
  await user.click(await openIt());
  expect(router.state.location.search).toBe(`?open=${adjustment.id}`);
  const form = await dialog();
  expect(await form.findByText('3,980.00')).toBeTruthy();
  expect(form.getByText('Daniel Osei')).toBeTruthy();
  expect(form.getByText('“Paid twice”')).toBeTruthy();
  expect(form.getByText('It takes 2 admins, and yours is the last approval.')).toBeTruthy();
  await user.type(form.getByLabelText('Reason, kept with the decision'), 'Checked');
  await user.click(form.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Transaction approved successfully!')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'Checked' });
  expect(await screen.findByText('No request or adjustment waits for another admin.')).toBeTruthy();
  expect(router.state.location.search).toBe('');
});

test('a refusal is said in the service’s words, a failure can be tried again, and what was closed meanwhile is told as such', async () => {
  const answers = [
    () => problem(409, 'approval_expired', 'This adjustment has waited too long.'),
    () => problem(409, 'request_closed', 'Transaction Closed'),
  ];
  service(
    { items: [adjustment] },
    { [to(adminRoutes.rejectAdjustment, ofAdjustment)]: () => answers.shift()!() },
  );
  const { user } = open(`/?open=${adjustment.id}`);
  const reject = (await dialog()).getByRole('button', { name: 'Reject' });
  await user.click(reject);
  expect(await screen.findByText('Failed to reject the transaction.')).toBeTruthy();
  expect((await dialog()).getByText('This adjustment has waited too long.')).toBeTruthy();
  await user.click(reject);
  expect(await screen.findByText('Transaction Closed')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('whoever approved it is told who else may, and copies a link for them', async () => {
  service({ items: [waitingOf({ isOwn: true })] });
  const { user } = open(`/?open=${adjustment.id}`);
  const written = clipboard();
  const form = await dialog();
  expect(form.queryByRole('button', { name: 'Approve' })).toBeNull();
  expect(await form.findByText(/^Ivy Lund may decide it\./)).toBeTruthy();
  await user.click(form.getByRole('button', { name: 'Ask a second admin' }));
  expect(await screen.findByText('Link copied')).toBeTruthy();
  expect(written.at(-1)).toMatch(/\/auth\/approvals\/dashboard\?person=amara&open=W1x+$/);
});

test('an admin of the same name as one who approved it is another one', async () => {
  service({ items: [waitingOf({ isOwn: true })] }, {}, [admin('other', 'Daniel Osei')]);
  open(`/?open=${adjustment.id}`);
  expect(await (await dialog()).findByText(/^Ivy Lund or Daniel Osei may decide it\./)).toBeTruthy();
});

test('a request that waits is opened as on its desk, and an approval that counts no more says so', async () => {
  const request = requestOf({ amount: '2000.00', approvals: { given: 0, needed: 2 } });
  const by = [{ ...adjustment.by[0]!, counts: false }];
  const amounts = [{ currency: 'BTC', amount: '2000.00' } as const];
  const waits = { id: request.id, kind: 'funding', amounts, approvals: { given: 0, needed: 2 }, by } as const;
  const of = { userId: 'amara', requestId: request.id };
  service(
    { items: [waitingOf(waits)] },
    {
      [to(routes.fundRequest, of)]: () => json(request),
      [to(adminRoutes.evidenceUses, of)]: () => json({ items: [], hasMore: false }),
      [to(routes.file, { fileId: request.evidence.fileId })]: () => new Response('%PDF'),
    },
  );
  Object.assign(URL, { createObjectURL: () => 'blob:evidence', revokeObjectURL: () => undefined });
  const { user } = open();
  await user.click(
    await screen.findByRole('button', { name: 'Open fund request of 2,000.00 USD for Amara Nwosu' }),
  );
  const form = within(await screen.findByRole('dialog', { name: 'Transaction Action' }));
  expect(await form.findByText('counts no more')).toBeTruthy();
  expect(screen.getByText('Rows 1–1, last to run out first')).toBeTruthy();
  expect(form.getByText('0 of 2 approvals')).toBeTruthy();
  expect(form.getByText('It takes 2 admins. Yours is approval 1 of 2, and moves nothing yet.')).toBeTruthy();
});

test('a link to what waits no more says so', async () => {
  service({ items: [] });
  open('/?person=amara&open=W2');
  expect(await screen.findByText('This waits no more')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy();
});

test('a person’s page has the adjustments that wait, and nothing where there is none', async () => {
  const waits = { items: [adjustment] };
  service(waits);
  const { user } = renderApp(<WaitingAdjustmentsOf userId="amara" />, { role: 'admin' });
  await user.click(await openIt());
  expect((await dialog()).getByRole('button', { name: 'Approve' })).toBeTruthy();
  expect(screen.getByText('asked for by Daniel Osei')).toBeTruthy();
});
