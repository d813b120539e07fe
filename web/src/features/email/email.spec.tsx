import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { routes } from '../../api';
import {
  accountOf,
  json,
  noSecondFactor,
  problem,
  renderApp,
  secondFactorOf,
  serve,
  to,
} from '../../testing';
import { EmailAddress } from '.';

const pending = { email: 'new@example.com', expiresAt: '2026-05-03T09:30:00.000Z' };
const press = (name: string) => screen.getByRole('button', { name });

test('another e-mail address is asked for with the password, waits for its link, and is canceled', async () => {
  let waits: typeof pending | null = null;
  const asks = [
    () => problem(401, 'invalid_credentials', 'The password is wrong.'),
    () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
    () =>
      problem(400, 'validation_failed', 'Wrong.', [{ path: 'email', message: 'This is no e-mail address.' }]),
    () => problem(429, 'rate_limited', 'Too many links were asked for.'),
    () => {
      waits = pending;
      return json({ pending, message: 'A link was sent to new@example.com.' });
    },
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf()),
    [to(routes.emailChange)]: () => json({ pending: waits }),
    [to(routes.requestEmailChange)]: () => asks.shift()!(),
    [to(routes.cancelEmailChange)]: () => {
      waits = null;
      return json({ message: 'Your e-mail address stays as it is.' });
    },
  });
  const { user } = renderApp(<EmailAddress {...accountOf()} />);
  expect(await screen.findByText('amara@example.com')).toBeTruthy();
  expect(screen.getByText('Verified')).toBeTruthy();
  await user.type(await screen.findByLabelText('Code of your authenticator app'), ' ');
  await user.click(press('Send link'));
  for (const words of [
    'Please enter your new e-mail address.',
    'Please enter your password.',
    'Please enter the code.',
  ])
    expect(await screen.findByText(words)).toBeTruthy();
  await user.type(screen.getByLabelText('New e-mail address'), ' new@example.com ');
  await user.type(screen.getByLabelText('Your password'), 'horse');
  await user.type(screen.getByLabelText('Code of your authenticator app'), '123456');
  for (const words of [
    'The password is wrong.',
    'This code is wrong.',
    'This is no e-mail address.',
    'Too many links were asked for.',
    'A link was sent to new@example.com.',
  ]) {
    await user.click(press('Send link'));
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect(await screen.findByText('A new address waits for its link')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Your password').value).toBe('');
  await user.click(press('Cancel the change'));
  expect(await screen.findByText('Your e-mail address stays as it is.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('A new address waits for its link')).toBeNull());
  const sent = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  const proof = { password: 'horse', code: ' 123456' };
  expect(sent).toEqual(Array(5).fill({ email: 'new@example.com', proof }));
});

test('an address that is not verified is said to be not, and what waits can be asked for again', async () => {
  const answers = [() => problem(503, 'unavailable', 'Later.'), () => json({ pending: null })];
  serve({
    [to(routes.emailChange)]: () => answers.shift()!(),
    [to(routes.secondFactor)]: () => json(noSecondFactor),
  });
  const { user } = renderApp(<EmailAddress {...accountOf({ isEmailVerified: false })} />);
  expect(await screen.findByText('Not verified')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByText('Later.')).toBeNull());
});
