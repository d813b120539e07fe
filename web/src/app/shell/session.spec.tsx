import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { makeStore, pathOf, routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, sessionOf, to } from '../../testing';
import { FundForm } from '../../features/funding';
import Shell from './shell';

const receipt = new File(['%PDF-1.4'], 'receipt.pdf', { type: 'application/pdf' });
const expired = () => problem(401, 'token_expired', 'The session has expired.');
const silence = () => new Response(new ReadableStream());
const noop = () => undefined;
const amara = { userId: 'amara' };

/** A service that knows one token at a time. */
function service(refresh: () => Response) {
  const state = { token: 'first-token' };
  const guarded = (answer: () => Response) => (call: { headers: Headers }) =>
    call.headers.get('authorization') === `Bearer ${state.token}` ? answer() : expired();
  const calls = serve({
    [to(routes.live)]: silence,
    [to(routes.account, amara)]: guarded(() => json(accountOf())),
    [to(routes.uploadEvidence)]: guarded(() => json({ fileId: 'f1' })),
    [to(routes.requestFunding)]: guarded(() =>
      json({ requestId: 'r', status: 'Pending', position: '7', message: '' }),
    ),
    [to(routes.refresh)]: refresh,
    [to(routes.signIn)]: () => json(sessionOf('user', (state.token = 'third-token'))),
  });
  return { calls, state };
}

test('a spent token is renewed once for all calls that need it, and they are repeated', async () => {
  const { calls, state } = service(() => json(sessionOf('user', 'second-token')));
  const { session } = makeStore();
  session.adopt(sessionOf('user'));
  state.token = 'second-token';
  const answers = await Promise.all([
    session.fetch(pathOf(routes.account, amara)),
    session.fetch(pathOf(routes.account, amara)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(calls.filter(({ name }) => name === to(routes.refresh))).toHaveLength(1);
});

test('when the session is over a dialog signs in again, and what was typed is still there', async () => {
  const { calls, state } = service(() => problem(401, 'token_missing', 'No session.'));
  const { user, store } = renderApp(
    <Shell>
      <FundForm onCurrency={noop} onDone={noop} />
    </Shell>,
  );
  await user.type(await screen.findByLabelText('Amount, USD'), '250');
  await user.upload(screen.getByLabelText('Payment evidence'), receipt);
  state.token = 'revoked';
  await user.click(screen.getByRole('button', { name: 'Submit request' }));

  const dialog = await screen.findByRole('dialog', { name: 'Your session is over' });
  expect(within(dialog).getByLabelText<HTMLInputElement>('E-mail').value).toBe('amara@example.com');
  await user.type(within(dialog).getByLabelText('Password'), 'secret-1');
  await user.click(within(dialog).getByRole('button', { name: 'Login' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(store.getState().session.accessToken).toBe('third-token');
  expect(screen.getByLabelText<HTMLInputElement>('Amount, USD').value).toBe('250');

  await user.click(screen.getByRole('button', { name: 'Submit request' }));
  expect(await screen.findByText('Your request has been submitted successfully!')).toBeTruthy();
  expect(calls.filter(({ name }) => name === to(routes.requestFunding))).toHaveLength(1);
});
