import { expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { makeStore, pathOf, routes } from '../../api';
import { accountOf, json, problem, renderApp, serve, sessionOf, to } from '../../testing';
import { FundForm } from '../../features/funding';
import { OpenRequests } from '../../features/requests';
import { ThemeChoice } from '../../features/settings';
import { notifySuccess, When } from '../../ui';
import { RequireSession } from '../guard';
import { AvatarFace } from './avatar-face';
import Shell from './shell';

const receipt = new File(['%PDF-1.4'], 'receipt.pdf', { type: 'application/pdf' });
const expired = () => problem(401, 'token_expired', 'The session has expired.');
const silence = () => new Response(new ReadableStream());
const noop = () => undefined;
const noNotifications = () => json({ items: [], first: 1, next: null, previous: null });
const amara = { userId: 'amara' };

/** A service that knows one token at a time. */
function service(refresh: () => Response, others: Parameters<typeof serve>[0] = {}) {
  const state = { token: 'first-token' };
  const guarded = (answer: () => Response) => (call: { headers: Headers }) =>
    call.headers.get('authorization') === `Bearer ${state.token}` ? answer() : expired();
  const calls = serve({
    [to(routes.live)]: silence,
    [to(routes.notifications, amara)]: noNotifications,
    [to(routes.account, amara)]: guarded(() => json(accountOf())),
    [to(routes.uploadEvidence)]: guarded(() => json({ fileId: 'f1' })),
    [to(routes.requestFunding)]: guarded(() =>
      json({ requestId: 'r', status: 'Pending', position: '7', message: '' }),
    ),
    [to(routes.refresh)]: refresh,
    [to(routes.signIn)]: () => json(sessionOf('user', (state.token = 'third-token'))),
    ...others,
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

test('behind the dialog a page waits for what it asked, and goes on with it after the sign-in', async () => {
  const { state } = service(() => problem(401, 'token_missing', 'No session.'), {
    [to(routes.openRequests, amara)]: ({ headers }) =>
      headers.get('authorization') === 'Bearer third-token' ? json({ items: [], more: false }) : expired(),
    [to(routes.file, { fileId: 'face' })]: ({ headers }) =>
      headers.get('authorization') === 'Bearer third-token' ? new Response('image') : expired(),
  });
  Object.assign(URL, { createObjectURL: () => 'blob:face', revokeObjectURL: () => undefined });
  const { user, store } = renderApp(
    <Shell>
      <OpenRequests userId="amara" action={null} />
      <AvatarFace user={sessionOf('user').user} image={{ fileId: 'face', mediaType: 'image/webp' }} />
    </Shell>,
  );
  const dialog = await screen.findByRole('dialog', { name: 'Your session is over' });
  await waitFor(() => expect(store.getState().session.phase).toBe('expired'));
  expect(screen.queryByText('This could not be loaded.')).toBeNull();
  expect(document.querySelector('img')).toBeNull();
  state.token = 'third-token';
  await user.clear(within(dialog).getByLabelText('E-mail'));
  await user.type(within(dialog).getByLabelText('E-mail'), 'amara@example.com');
  await user.type(within(dialog).getByLabelText('Password'), 'secret-1');
  await user.click(within(dialog).getByRole('button', { name: 'Login' }));
  expect(await screen.findByText('No logs available.')).toBeTruthy();
  await waitFor(() => expect(document.querySelector('img')?.getAttribute('src')).toBe('blob:face'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('whoever has a second factor signs in again with a code, and what refuses one is said as it is', async () => {
  const answers = [
    () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
    () => problem(401, 'invalid_credentials', 'Your password was changed meanwhile.'),
    () => json(sessionOf('user', 'third-token')),
  ];
  const { calls, state } = service(() => problem(401, 'token_missing', 'No session.'), {
    [to(routes.signIn)]: () => json({ challenge: 'the-challenge', message: 'Please enter your code' }),
    [to(routes.finishSignIn)]: () => answers.shift()!(),
  });
  const { user, store, session } = renderApp(
    <Shell>
      <p>Work</p>
    </Shell>,
  );
  await screen.findByRole('button', { name: 'Notifications' });
  state.token = 'third-token';
  await act(() => expect(session.fetch(pathOf(routes.account, amara))).rejects.toThrow());

  const dialog = await screen.findByRole('dialog', { name: 'Your session is over' });
  await user.type(within(dialog).getByLabelText('Password'), 'secret-1');
  await user.click(within(dialog).getByRole('button', { name: 'Login' }));
  await user.type(await within(dialog).findByLabelText('Code'), '123456');
  const send = () => user.click(within(dialog).getByRole('button', { name: 'Continue' }));
  await send();
  expect(await within(dialog).findByText('This code is wrong.')).toBeTruthy();
  await send();
  expect(await within(dialog).findByText('Your password was changed meanwhile.')).toBeTruthy();
  expect(store.getState().session.phase).toBe('expired');
  await send();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(store.getState().session).toMatchObject({ phase: 'signed-in', accessToken: 'third-token' });
  expect(screen.getByText('Work')).toBeTruthy();
  const sent = calls.filter(({ name }) => name === to(routes.finishSignIn)).map(({ body }) => body);
  expect(sent).toEqual(Array(3).fill({ challenge: 'the-challenge', code: '123456' }));
  expect(calls.filter(({ name }) => name === to(routes.refresh))).toHaveLength(1);
});

test('things are shown as the account says, and a choice stays while the account has not heard of it', async () => {
  const preferences = { language: 'en-GB', timeZone: 'Africa/Lagos', theme: 'dark' } as const;
  const of = accountOf({ preferences });
  serve({
    [to(routes.live)]: silence,
    [to(routes.notifications, amara)]: noNotifications,
    [to(routes.account, amara)]: () => json(of),
    [to(routes.changePreferences, amara)]: () => new Promise(() => undefined),
  });
  const { user } = renderApp(
    <Shell>
      <When iso="2026-05-03T23:30:00.000Z" />
      <ThemeChoice account={of} />
    </Shell>,
  );
  expect(await screen.findByText('4 May 2026, 00:30')).toBeTruthy();
  const radio = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  await waitFor(() => expect(radio('Dark').checked).toBe(true));
  await user.click(radio('Light'));
  await waitFor(() => expect(radio('Light').checked).toBe(true));
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('light');
});

const tooMany = (seconds: string) => {
  const response = problem(429, 'rate_limited', 'Too many requests. Wait a little and try again.');
  response.headers.set('retry-after', seconds);
  return response;
};

test('a page that is opened while there are too many requests says that, and not that the service is away', async () => {
  let answer: () => Response = () => tooMany('1');
  serve({ [to(routes.refresh)]: () => answer() });
  localStorage.setItem('token', 'amara');
  const { session, store } = renderApp(<RequireSession shell={({ children }) => children} />, {
    isSignedIn: false,
  });
  let goOn: () => void = () => undefined;
  const waits = () => new Promise<void>((resolve) => (goOn = resolve));
  let restored: Promise<void> | undefined;
  await act(async () => void (restored = session.restore(waits)));
  expect(await screen.findByRole('heading', { name: 'Too many requests' })).toBeTruthy();
  expect(screen.queryByText(/away/)).toBeNull();
  answer = () => json(sessionOf('user', 'second-token'));
  await act(async () => {
    goOn();
    await restored;
  });
  expect(store.getState().session.phase).toBe('signed-in');
});

test('a call whose renewal comes too often is refused as that, and nobody has to sign in again', async () => {
  serve({
    [to(routes.me)]: () => problem(401, 'token_expired', 'It is over.'),
    [to(routes.refresh)]: () => tooMany('1'),
  });
  const { session, store } = makeStore();
  session.adopt(sessionOf('user', 'first-token'));
  const answers = await Promise.all([session.fetch(pathOf(routes.me)), session.fetch(pathOf(routes.me))]);
  for (const answer of answers)
    expect([answer.status, await answer.json()]).toEqual([
      429,
      expect.objectContaining({ code: 'rate_limited' }),
    ]);
  expect(store.getState().session.phase).toBe('signed-in');
});

test('a renewal that is refused after the sign-out sends nobody to the sign-in page', async () => {
  let refuse: (answer: Response) => void = noop;
  serve({
    [to(routes.me)]: expired,
    [to(routes.refresh)]: () => new Promise<Response>((resolve) => (refuse = resolve)),
  });
  const { session, store } = makeStore();
  session.adopt(sessionOf('user'));
  const call = session.fetch(pathOf(routes.me));
  await waitFor(() => expect(refuse).not.toBe(noop));
  session.end();
  refuse(problem(401, 'token_missing', 'No session.'));
  await expect(call).rejects.toMatchObject({ name: 'SessionOver' });
  expect(store.getState().session.phase).toBe('left');
});

test('while the service is away nobody is sent to the sign-in page, and the page goes on by itself', async () => {
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => Promise.reject(new TypeError('no network')),
    () => tooMany('3'),
    () => tooMany('40'),
    () => tooMany('9999'),
    () => json(sessionOf('user', 'second-token')),
  ];
  serve({ [to(routes.refresh)]: () => answers.shift()!() });
  localStorage.setItem('token', 'amara');
  const { store, session } = makeStore();
  const waits: (readonly [number, string])[] = [];
  await session.restore((ms) => {
    waits.push([ms, store.getState().session.phase]);
    return Promise.resolve();
  });
  expect(waits).toEqual([
    [2_000, 'away'],
    [4_000, 'away'],
    // As long as the service says, and no less than without its word.
    [8_000, 'crowded'],
    [40_000, 'crowded'],
    [60_000, 'crowded'],
  ]);
  expect(store.getState().session).toMatchObject({ phase: 'signed-in', accessToken: 'second-token' });
});

test('while the service is away every screen says so, and goes on by itself when it answers', async () => {
  const encoder = new TextEncoder();
  let breakOff: () => void = () => undefined;
  const stream = () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(encoder.encode('event: hello\ndata: {}\n\n'));
          breakOff = () => controller.close();
        },
      }),
    );
  let isAway = false;
  const asked = (answer: () => Response) => () =>
    isAway ? problem(503, 'unavailable', 'It is away.') : answer();
  serve({
    [to(routes.live)]: asked(stream),
    [to(routes.notifications, amara)]: asked(noNotifications),
    [to(routes.account, amara)]: asked(() => json(accountOf())),
  });
  renderApp(<Shell>Page</Shell>);
  await screen.findByText('Live');
  isAway = true;
  breakOff();
  expect(await screen.findByText(/^Lode is away for a moment\. What you see is from before/)).toBeTruthy();
  expect(screen.getByText('Page')).toBeTruthy();
  isAway = false;
  expect(await screen.findByText('Lode answers again.')).toBeTruthy();
  expect(screen.queryByText(/^Lode is away/)).toBeNull();
});

test('what a page said to one person is not told to the next', async () => {
  const other = { userId: 'bola' };
  serve({
    [to(routes.live)]: silence,
    [to(routes.notifications, amara)]: noNotifications,
    [to(routes.account, amara)]: () => json(accountOf()),
    [to(routes.notifications, other)]: noNotifications,
    [to(routes.account, other)]: () => json(accountOf(other)),
  });
  const { session, user } = renderApp(<Shell>Page</Shell>);
  const bell = () => screen.findByRole('button', { name: 'Notifications' });
  act(() => notifySuccess('wallet address updated'));
  await user.click(await bell());
  expect(await screen.findByRole('region', { name: 'Said since this page was opened' })).toBeTruthy();
  await user.keyboard('{Escape}');
  const mine = sessionOf('user');
  act(() => session.adopt({ ...mine, user: { ...mine.user, ...other } }));
  await user.click(await bell());
  expect(await screen.findByText('Nothing yet.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Said since this page was opened' })).toBeNull();
});

test('without a network every screen says so, and that it is back', async () => {
  serve({
    [to(routes.live)]: silence,
    [to(routes.notifications, amara)]: noNotifications,
    [to(routes.account, amara)]: () => json(accountOf()),
  });
  renderApp(<Shell>Page</Shell>);
  await screen.findByText('Page');
  const online = jest.spyOn(navigator, 'onLine', 'get');
  const becomes = (is: boolean) => {
    online.mockReturnValue(is);
    act(() => void window.dispatchEvent(new Event(is ? 'online' : 'offline')));
  };
  becomes(false);
  expect(await screen.findByText(/^You are offline/)).toBeTruthy();
  becomes(true);
  expect(await screen.findByText('You are back online.')).toBeTruthy();
  expect(screen.queryByText(/^You are offline/)).toBeNull();
});
