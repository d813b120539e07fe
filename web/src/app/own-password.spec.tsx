import { expect, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { pathOf, routes } from '../api';
import { accountOf, json, noSecondFactor, problem, renderApp, serve, sessionOf, to } from '../testing';
import { RequireSession } from './guard';

const required = () => problem(403, 'password_change_required', 'Please choose your own password first.');
const amara = { userId: 'amara' };

test('whoever has a password that an admin chose sees nothing but the form of another one, until it is set', async () => {
  const answers = [
    () => problem(422, 'password_policy', 'Password should not be the one that you have'),
    () => json({ message: 'Password updated successfully!' }),
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(noSecondFactor),
    [to(routes.changePassword)]: () => answers.shift()!(),
  });
  const { user, session } = renderApp(<RequireSession shell={() => <p>Everything else</p>} />);
  expect(await screen.findByText('Everything else')).toBeTruthy();
  act(() => session.adopt({ ...sessionOf('user'), mustChoosePassword: true }));
  expect(await screen.findByRole('heading', { name: 'Choose your own password' })).toBeTruthy();
  expect(screen.queryByText('Everything else')).toBeNull();
  expect(screen.getByRole('button', { name: 'Logout' })).toBeTruthy();

  const type = async (given: string, own: string) => {
    for (const [label, text] of [
      ['Password you were given', given],
      ['New password', own],
      ['Confirm new password', own],
    ] as const) {
      await user.clear(screen.getByLabelText(label));
      await user.type(screen.getByLabelText(label), text);
    }
    await user.click(screen.getByRole('button', { name: 'Set password' }));
  };
  await type('from an admin', 'from an admin');
  expect(await screen.findByText('Password should not be the one that you have')).toBeTruthy();
  await type('from an admin', 'my own secret');
  expect(await screen.findByText('Everything else')).toBeTruthy();
  const sent = calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  expect(sent.at(-1)).toEqual({ oldPassword: 'from an admin', newPassword: 'my own secret' });
});

test('a page that is refused for it shows the form at once', async () => {
  serve({
    [to(routes.secondFactor)]: () => json(noSecondFactor),
    [to(routes.account, amara)]: required,
  });
  const { session } = renderApp(<RequireSession shell={() => <p>{accountOf().userId}</p>} />);
  expect(await screen.findByText('amara')).toBeTruthy();
  await act(() => session.fetch(pathOf(routes.account, amara)));
  expect(await screen.findByRole('heading', { name: 'Choose your own password' })).toBeTruthy();
});
