import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, problem, renderApp, serve, settingsOf, to } from '../../testing';
import { ApprovalLimitsForm } from '.';
import { changesOf, limitsOf, typedOf } from './limits';

const admin = (name: string) => ({ userId: name, name, email: name, duty: 'owner', status: 'active' });

test('sets the limits of a currency, with a reason, and says what the service refused', async () => {
  const refusal = '3 approvals need as many admins who may decide; there are 2.';
  const answers = [
    () => problem(422, 'setting_invalid', refusal),
    () => json({ position: '9', message: 'Approval limits updated successfully.' }),
  ];
  const calls = serve({
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [to(adminRoutes.admins)]: () => json({ admins: [admin('Mary'), admin('Jonas')] }),
    [to(adminRoutes.setApprovalLimits)]: () => answers.shift()!(),
  });
  const { user } = renderApp(<ApprovalLimitsForm />, { role: 'admin' });
  expect(await screen.findByText(/2 admins may decide now/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Add a limit for BTC' }));
  const limit = within(screen.getByRole('group', { name: 'BTC, limit 1' }));
  await user.click(screen.getByRole('button', { name: 'Set limits' }));
  expect(await screen.findByText('Please enter a valid amount.')).toBeTruthy();
  await user.type(limit.getByLabelText('Above, USD'), '1,000');
  const admins = limit.getByLabelText('Admins who approve');
  await user.clear(admins);
  await user.type(admins, '3');
  await user.click(screen.getByRole('button', { name: 'Set limits' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('one admin decides')).toBeTruthy();
  expect(dialog.getByText('above 1,000.00: 3 admins')).toBeTruthy();
  await user.type(dialog.getByLabelText('Reason'), 'As agreed');
  const set = () => user.click(dialog.getByRole('button', { name: 'Set limits' }));
  await set();
  expect(await screen.findByText(refusal)).toBeTruthy();
  await set();
  expect(await screen.findByText('Approval limits updated successfully.')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    tiers: { BTC: [{ above: '1000.00', approvals: 3 }] },
    reason: 'As agreed',
  });
});

test('a limit that is taken away leaves none, and what is typed as it was is no change', () => {
  const limits = {
    tiers: { BTC: [{ above: '1000.50', approvals: 2 }], PI: [], USDT: [{ above: '5.00', approvals: 2 }] },
    expireHours: 72,
  };
  const typed = typedOf(limits);
  expect(changesOf(limits, limitsOf(typed)!)).toEqual({});
  const without = { ...typed, tiers: { ...typed.tiers, BTC: [] }, expireHours: '24' };
  expect(changesOf(limits, limitsOf(without)!)).toEqual({ tiers: { BTC: [] }, expireHours: 24 });
  expect(limitsOf({ ...typed, expireHours: '0' })).toBeUndefined();
});
