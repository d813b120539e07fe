import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { routes } from '../../api';
import { problem, renderApp, serve, to } from '../../testing';
import { RegisterForm, SignInForm } from '.';

const UNKNOWN = "We don't know yet whether this was done. Send it again: it is never done twice";
const unknown = () => problem(503, 'unknown_outcome', 'It is not known.');

test('a sign-in that may have been begun is not called failed', async () => {
  serve({ [to(routes.signIn)]: unknown });
  const { user } = renderApp(<SignInForm />);
  await user.type(screen.getByLabelText(/^E-?mail/i), 'ann@example.org');
  await user.type(screen.getByLabelText(/^Password/), 'correct horse');
  await user.click(screen.getByRole('button', { name: /sign in|log ?in/i }));
  expect(await screen.findByText(UNKNOWN)).toBeTruthy();
});

test('a registration that may have been made is not called failed, stays as it was typed, and is sent again under its key', async () => {
  const calls = serve({ [to(routes.register)]: unknown });
  const { user } = renderApp(<RegisterForm onDone={() => undefined} />);
  const typed = {
    'First name': 'Ann',
    'Last name': 'Lee',
    'E-mail': 'ann@example.org',
    Phone: '+12025550123',
    Password: 'correct horse',
    'Confirm password': 'correct horse',
  };
  for (const [label, text] of Object.entries(typed)) await user.type(screen.getByLabelText(label), text);
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(await screen.findByText(UNKNOWN)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ann@example.org');
  await user.click(screen.getByRole('button', { name: 'Register' }));
  await waitFor(() => expect(calls).toHaveLength(2));
  await user.type(screen.getByLabelText('Last name'), 's');
  await user.click(await screen.findByRole('button', { name: 'Register' }));
  await waitFor(() => expect(calls).toHaveLength(3));
  const [first, again, other] = calls.map(({ headers }) => headers.get('idempotency-key'));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});
