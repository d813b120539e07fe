import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, to } from '../../testing';
import { VerifyEmail } from '.';

test('whoever has not verified the e-mail address is told what waits for it, and is sent the link again', async () => {
  const answers = [
    () => problem(429, 'rate_limited', 'Please wait a little.'),
    () => json({ message: 'A link is on its way.' }),
  ];
  const calls = serve({ [to(routes.requestEmailVerification)]: () => answers.shift()!() });
  const account = accountOf({ isEmailVerified: false, verifyFirst: ['withdraw', 'fund'] });
  const { user } = renderApp(<VerifyEmail account={account} />);
  expect(
    await screen.findByText(
      'A link was sent to amara@example.com. Until you use it you can’t withdraw or fund your wallet.',
    ),
  ).toBeTruthy();
  for (const words of ['Please wait a little.', 'The link is on its way.']) {
    await user.click(screen.getByRole('button', { name: 'Send the link again' }));
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect(calls).toHaveLength(2);
});

test('whoever has is told nothing', () => {
  renderApp(<VerifyEmail account={accountOf()} />);
  expect(screen.queryByText(/verify/)).toBeNull();
});
