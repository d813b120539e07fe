import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { adminRoutes } from '../../api';
import { json, problem, renderApp, serve, settingsOf, to } from '../../testing';
import { DepositDetailsForm } from '.';

const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);

test('repeats a changed address, wants a reason for it, and sends what was touched alone', async () => {
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => json({ position: '9', message: 'Data submitted successfully!' }),
  ];
  const calls = serve({
    [to(adminRoutes.settings)]: () => json(settingsOf()),
    [to(adminRoutes.changeDepositDetails)]: () => answers.shift()!(),
  });
  const { user } = renderApp(<DepositDetailsForm />, { role: 'admin' });
  expect((await field('BTC deposit address')).value).toBe('bc1qold');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Nothing was changed.')).toBeTruthy();

  const address = await field('BTC deposit address');
  await user.clear(address);
  await user.type(address, 'bc1q new');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('A wallet address has no blanks.')).toBeTruthy();
  await user.clear(address);
  await user.type(address, 'bc1qnew');
  await user.clear(await field('E-mail'));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));

  const dialog = within(await screen.findByRole('dialog'));
  expect([dialog.getByText('bc1qold'), dialog.getByText('bc1qnew')].length).toBe(2);
  await user.click(dialog.getByRole('button', { name: 'Change' }));
  expect(await dialog.findByText('Please give a reason.')).toBeTruthy();
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await user.type(dialog.getByLabelText('Reason'), 'A new wallet');
  await user.click(dialog.getByRole('button', { name: 'Change' }));
  expect(await screen.findByText('Something went wrong.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Change' }));
  expect(await screen.findByText('Data submitted successfully!')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  const sent = calls.filter(({ method }) => method === 'PUT');
  expect(sent.map(({ body }) => body)).toEqual(
    Array(2).fill({ btcWallet: 'bc1qnew', email: null, reason: 'A new wallet' }),
  );
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});
