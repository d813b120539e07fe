import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { changeOf, json, problem, renderApp, serve, settingsOf, to } from '../../testing';
import { PricesForm } from '.';

test('sets the prices that differ, with a reason, and says what the service refused', async () => {
  const answers = [
    () => problem(422, 'setting_invalid', 'Please enter a BTC price from 0.0001 to 1000000000.'),
    () => json({ position: '9', message: 'Prices updated successfully.' }),
  ];
  const calls = serve({
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [to(adminRoutes.setPrices)]: () => answers.shift()!(),
  });
  const { user } = renderApp(<PricesForm />, { role: 'admin' });
  const btc = await screen.findByLabelText<HTMLInputElement>('BTC, US dollars for one');
  expect(btc.value).toBe('62410');
  await user.clear(btc);
  await user.type(btc, '62,000');
  await user.click(screen.getByRole('button', { name: 'Set prices' }));
  expect(await screen.findByText('Please enter a price above 0 with at most 8 decimals.')).toBeTruthy();
  await user.clear(btc);
  await user.type(btc, '62000.5');
  await user.click(screen.getByRole('button', { name: 'Set prices' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Reason'), 'The market moved');
  const set = () => user.click(dialog.getByRole('button', { name: 'Set prices' }));
  await set();
  expect(await screen.findByText(/^Please enter a BTC price from/)).toBeTruthy();
  await set();
  expect(await screen.findByText('Prices updated successfully.')).toBeTruthy();
  const [sent] = calls.filter(({ method }) => method === 'PUT');
  expect(sent?.body).toEqual({ prices: { BTC: '62000.5' }, reason: 'The market moved' });
});

const someone = { email: 'a@example.com', status: 'active', hasSecondFactor: true, signedInAt: null };

test('says that what was asked for waits for another admin, and changes nothing on the screen', async () => {
  let waits = 0;
  serve({
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [to(adminRoutes.changes)]: () =>
      json({ items: waits === 0 ? [] : [changeOf({ isOwn: true })], first: 1, next: null, previous: null }),
    [to(adminRoutes.admins)]: () =>
      json({
        admins: [
          { ...someone, userId: 'femi', name: 'Femi Adeyemi', duty: 'finance' },
          { ...someone, userId: 'sue', name: 'Sue Park', duty: 'support' },
          { ...someone, userId: 'max', name: 'Max Roth', duty: 'owner', status: 'suspended' },
        ],
      }),
    [to(adminRoutes.setPrices)]: () => {
      waits += 1;
      const approvals = { given: 1, needed: 2 };
      return json({
        position: '42',
        message: 'Approval recorded, 1 of 2.',
        approvals,
        changeId: changeOf().id,
      });
    },
  });
  const { user } = renderApp(<PricesForm />, { role: 'admin' });
  const btc = await screen.findByLabelText<HTMLInputElement>('BTC, US dollars for one');
  await user.clear(btc);
  await user.type(btc, '63000');
  await user.click(screen.getByRole('button', { name: 'Set prices' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(
    await dialog.findByText('It takes a second admin: nothing is changed before Femi Adeyemi approves it.'),
  ).toBeTruthy();
  await user.type(dialog.getByLabelText('Reason'), 'The market moved');
  await user.click(dialog.getByRole('button', { name: 'Set prices' }));
  expect(await screen.findByText('Approval recorded, 1 of 2.')).toBeTruthy();
  const told = await screen.findByText(/^A change that Daniel Osei asked for waits for another admin\./);
  expect(within(told).getByRole('link', { name: 'Approvals' }).getAttribute('href')).toBe(
    '/auth/approvals/dashboard',
  );
});
