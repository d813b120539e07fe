import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, queryOf, renderApp, serve, settingsOf, to } from '../../testing';
import { BonusPolicyForm } from '.';

const policy = settingsOf().bonusPolicy;
const sum = { accounts: 1, days: 2, amount: '22.00', converted: '22.000000', refused: 0, isWhole: true };
const due = {
  userId: 'amara',
  customer: 'Amara Nwosu',
  accountNumber: '3012345678',
  wallet: '110.00',
  bonusDays: 1,
  days: 2,
  amount: '22.00',
  converted: '22.000000',
};

test('works out at once what a typed policy would pay, and sets it with a reason', async () => {
  const calls = serve({
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [to(adminRoutes.bonusPreview)]: (call) =>
      json({
        items: queryOf(call).get('rate') === '0' ? [] : [due],
        first: 1,
        next: null,
        previous: null,
        at: '2026-05-03T14:00:00.000Z',
        policy: { ...policy, rate: queryOf(call).get('rate') },
        sum: queryOf(call).get('rate') === '0' ? { ...sum, accounts: 0, days: 0, amount: '0.00' } : sum,
      }),
    [to(adminRoutes.setBonusPolicy)]: () =>
      json({ position: '9', message: 'Bonus policy updated successfully.' }),
  });
  const { user } = renderApp(<BonusPolicyForm />, { role: 'admin' });
  expect(await screen.findByText('Amara Nwosu')).toBeTruthy();
  expect(screen.getByText('22.00 USD')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'What the next tick would pay' })).toBeTruthy();

  const rate = screen.getByLabelText('Rate: the part of the wallet that one day pays');
  await user.clear(rate);
  await user.type(rate, '2');
  await user.click(screen.getByRole('button', { name: 'Set policy' }));
  expect(
    await screen.findByText('Please enter a bonus rate from 0 to 1 with at most 4 decimals.'),
  ).toBeTruthy();
  await user.clear(rate);
  await user.type(rate, '0');
  expect(await screen.findByText('No account has a day due by then.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'What this policy would pay' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Set policy' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Reason'), 'No promotion');
  await user.click(dialog.getByRole('button', { name: 'Set policy' }));
  expect(await screen.findByText('Bonus policy updated successfully.')).toBeTruthy();
  const sent = calls.find(({ method }) => method === 'PUT');
  expect(sent?.body).toEqual({ policy: { ...policy, rate: '0' }, reason: 'No promotion' });
});
