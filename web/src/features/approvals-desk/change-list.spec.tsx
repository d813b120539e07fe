import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { WaitingChange } from '#contracts';
import { adminRoutes } from '../../api';
import { changeOf, json, problem, renderApp, serve, to } from '../../testing';
import { ChangeList } from '.';

const price = changeOf();
const ofPrice = { changeId: price.id };

/** The service with changes that wait, which are others under its reader's hand. */
function service(waits: { items: readonly WaitingChange[] }, acts: Record<string, () => Response> = {}) {
  return serve({
    [to(adminRoutes.changes)]: () => json({ items: waits.items, first: 1, next: null, previous: null }),
    ...acts,
  });
}
const open = (at = '/') => renderApp(<ChangeList />, { role: 'admin', at });
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Change that waits' }));

test('a change is told from what to what, by whom and why, and approved', async () => {
  const waits = { items: [price] };
  const calls = service(waits, {
    [to(adminRoutes.approveChange, ofPrice)]: () => {
      waits.items = [];
      return json({ position: '50', status: 'approved', message: 'Transaction approved successfully!' });
    },
  });
  const { router, user } = open();
  await user.click(await screen.findByRole('button', { name: 'Open the change of Prices by Daniel Osei' }));
  expect(router.state.location.search).toBe(`?change=${price.id}`);
  const form = await dialog();
  for (const told of ['62,410.00', '63,000.00', 'The market moved'])
    expect(form.getByText(told)).toBeTruthy();
  await user.type(form.getByLabelText('Reason, kept with the decision'), 'Checked');
  await user.click(form.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Transaction approved successfully!')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'Checked' });
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  expect(router.state.location.search).toBe('');
});

test('whoever asked for it takes it back, and approves nothing', async () => {
  const waits = { items: [changeOf({ isOwn: true })] };
  service(waits, {
    [to(adminRoutes.rejectChange, ofPrice)]: () => {
      waits.items = [];
      return json({ position: '50', status: 'rejected', message: 'Transaction rejected successfully!' });
    },
  });
  const { user } = open(`/?change=${price.id}`);
  const form = await dialog();
  expect(form.queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.click(form.getByRole('button', { name: 'Take back' }));
  expect(await screen.findByText('Transaction rejected successfully!')).toBeTruthy();
});

test('a refusal is said in the service’s words, and what was closed meanwhile as such', async () => {
  const answers = [
    () => problem(422, 'setting_invalid', '3 approvals need as many admins who may decide; there are 2.'),
    () => problem(409, 'request_closed', 'Transaction Closed'),
  ];
  const tiers = { BTC: [{ above: '1000.00', approvals: 3 }] };
  const limits = changeOf({ part: 'approval-limits', data: { tiers }, was: { tiers: { BTC: [] } } });
  service({ items: [limits] }, { [to(adminRoutes.approveChange, ofPrice)]: () => answers.shift()!() });
  const { user } = open(`/?change=${price.id}`);
  expect(await (await dialog()).findByText('above 1,000.00: 3 admins')).toBeTruthy();
  const approve = (await dialog()).getByRole('button', { name: 'Approve' });
  await user.click(approve);
  expect(await screen.findByText('Failed to approve the transaction.')).toBeTruthy();
  expect((await dialog()).getByText(/^3 approvals need as many admins/)).toBeTruthy();
  await user.click(approve);
  expect(await screen.findByText('Transaction Closed')).toBeTruthy();
});

test('a duty and a bonus are told with whose they are, and what somebody asked for who may not any more is only rejected', async () => {
  const of = { userId: 'ivy', name: 'Ivy Lund' };
  const by = { userId: 'daniel', name: 'Daniel Osei', counts: false };
  const duty = changeOf({
    part: 'duty',
    data: { userId: 'ivy', duty: 'owner' },
    was: { duty: 'support' },
    of,
    by,
  });
  const bonus = changeOf({ id: 'C2'.padEnd(34, 'x'), part: 'bonus', data: { userId: 'ivy' }, was: {}, of });
  service({ items: [duty, bonus] });
  const { user } = open(`/?change=${duty.id}`);
  const form = await dialog();
  expect(form.getByText('Duty of Ivy Lund')).toBeTruthy();
  expect(form.getByText(/^Daniel Osei may not ask for this any more\./)).toBeTruthy();
  expect(form.queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(
    await screen.findByRole('button', {
      name: 'Open the change of New bonus cycle of Ivy Lund by Daniel Osei',
    }),
  );
  expect((await dialog()).getByText(/^A new cycle begins once it is approved/)).toBeTruthy();
});

test('what was decided while it was open says so, and a list that is away can be asked for again', async () => {
  let isAway = true;
  const waits = { items: [price] as readonly WaitingChange[] };
  serve({
    [to(adminRoutes.changes)]: () =>
      isAway
        ? problem(503, 'unavailable', 'It is away.')
        : json({ items: waits.items, first: 1, next: null, previous: null }),
    [to(adminRoutes.approveChange, ofPrice)]: () => {
      waits.items = [];
      return problem(409, 'own_request', 'This is your own. Another admin has to decide it.');
    },
  });
  const { user } = open();
  expect(await screen.findByText('It is away.')).toBeTruthy();
  isAway = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await user.click(await screen.findByRole('button', { name: 'Open the change of Prices by Daniel Osei' }));
  await user.click((await dialog()).getByRole('button', { name: 'Approve' }));
  expect(await (await dialog()).findByText('Transaction Closed')).toBeTruthy();
});

test('of what is so already it says so, and of what was approved and could not be made', async () => {
  const same = changeOf({ data: { prices: { BTC: '62410' } } });
  service(
    { items: [same] },
    {
      [to(adminRoutes.approveChange, ofPrice)]: () =>
        json({
          position: '50',
          status: 'refused',
          message: 'Approved, but not made: something else was changed.',
        }),
    },
  );
  const { user } = open(`/?change=${same.id}`);
  expect((await dialog()).getByText('It is so already: approving changes nothing.')).toBeTruthy();
  await user.click((await dialog()).getByRole('button', { name: 'Approve' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getByText('Approved, but not made: something else was changed.')).toBeTruthy();
});
