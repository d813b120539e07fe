import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { routes } from '../../api';
import { problem, renderApp, serve, to } from '../../testing';
import { SignInForm } from '.';

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
