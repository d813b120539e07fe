import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { routes } from '../../api';
import {
  json,
  passkeyBrowser,
  passkeyRequest,
  problem,
  renderApp,
  serve,
  sessionOf,
  signedByPasskey,
  to,
} from '../../testing';
import { SignInForm } from '.';

test('whoever has a passkey signs in by it, and is asked calmly again when it was canceled', async () => {
  passkeyBrowser('canceled');
  const finishes = [
    () => problem(403, 'passkey_refused', 'This passkey is not yours.'),
    () => json(sessionOf('user')),
  ];
  const calls = serve({
    [to(routes.signIn)]: () =>
      json({ challenge: 'the-challenge', passkey: passkeyRequest, message: 'Please use your passkey' }),
    [to(routes.finishSignIn)]: () => finishes.shift()!(),
  });
  let signedIn = 0;
  const { user } = renderApp(<SignInForm email="amara@example.com" onSignedIn={() => (signedIn += 1)} />);
  await user.type(screen.getByLabelText('Password'), 'horse');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  const use = await screen.findByRole('button', { name: 'Use your passkey' });
  for (const words of ['No passkey was used. Try again when you are ready.', 'This passkey is not yours.']) {
    await user.click(use);
    expect(await screen.findByText(words)).toBeTruthy();
  }
  await user.click(use);
  await waitFor(() => expect(signedIn).toBe(1));
  const body = { challenge: 'the-challenge', passkey: signedByPasskey };
  expect(calls.slice(1).map((call) => call.body)).toEqual([body, body]);
});
