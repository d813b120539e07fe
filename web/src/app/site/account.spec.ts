import { afterEach, expect, jest, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { routes } from '../../api';
import { json, passkeyBrowser, passkeyRequest, problem, serve, signedByPasskey, to } from '../../testing';
import { enableByLink, enableRegistration, enableSecondStep, enableSignIn } from './account';

const UNKNOWN = "We don't know yet whether this was done. Send it again: it is never done twice";
const unknown = () => problem(503, 'unknown_outcome', 'It is not known.');

afterEach(() => {
  jest.useRealTimers();
  document.body.innerHTML = '';
});

/** A form with these fields, as the server writes it. */
function formOf(action: string, fields: readonly string[]): HTMLFormElement {
  const inputs = fields.map(
    (name) =>
      `<div class="field"><label for="${name}">${name}</label><input id="${name}" name="${name}" /></div>`,
  );
  document.body.innerHTML = `<form method="post" action="${action}" data-next="/login"><p class="told" role="status"></p>
    <fieldset disabled>${inputs.join('')}<button type="submit">Send</button></fieldset></form>`;
  const [form] = document.forms;
  if (form === undefined) throw new Error('There is no form.');
  return form;
}

test('a sign-in that may have been begun is not called failed', async () => {
  serve({ [to(routes.signIn)]: unknown });
  await enableSignIn(formOf(routes.signIn.path, ['email', 'password']));
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('email'), 'ann@example.org');
  await user.type(screen.getByLabelText('password'), 'correct horse');
  await user.click(screen.getByRole('button'));
  expect(await screen.findByText(UNKNOWN)).toBeTruthy();
});

const SUSPENDED = 'Account suspended. Please contact admin.';
const OVER = 'Your session is over. Please sign in again.';
test.each([
  ['a suspended person reads why', () => problem(403, 'account_suspended', SUSPENDED), SUSPENDED],
  ['of a session that is over it says so', () => problem(401, 'token_invalid', 'It is over.'), OVER],
  ['of a cookie that is gone it says so', () => problem(401, 'token_missing', 'No session.'), OVER],
  ['a service that is away says nothing of it', () => problem(503, 'unavailable', 'Later.'), ''],
])('the sign-in form of a browser that had a session: %s', async (_what, answer, said) => {
  serve({ [to(routes.refresh)]: answer });
  localStorage.setItem('token', 'amara');
  const form = formOf(routes.signIn.path, ['email', 'password']);
  form.dataset['refresh'] = routes.refresh.path;
  await enableSignIn(form);
  expect(screen.getByRole('status').textContent).toBe(said);
  expect(form.querySelector('fieldset')?.disabled).toBe(false);
});

test('whoever never signed in at a browser is told of no session there', async () => {
  const calls = serve({});
  localStorage.removeItem('token');
  const form = formOf(routes.signIn.path, ['email', 'password']);
  form.dataset['refresh'] = routes.refresh.path;
  await enableSignIn(form);
  expect(screen.getByRole('status').textContent).toBe('');
  expect(calls).toEqual([]);
});

test('whoever closed the account reads on the sign-in page that it is closed', async () => {
  serve({});
  localStorage.removeItem('token');
  const form = formOf(routes.signIn.path, ['email', 'password']);
  for (const [hash, said] of [
    ['#closed', 'Your account is closed, for ever.'],
    ['#other', ''],
  ] as const) {
    history.replaceState(null, '', hash);
    await enableSignIn(form);
    expect(screen.getByRole('status').textContent).toBe(said);
    screen.getByRole('status').textContent = '';
  }
  history.replaceState(null, '', location.pathname);
});

test('whoever has a second factor is asked for a code, which is sent with what the password was answered with', async () => {
  const calls = serve({
    [to(routes.signIn)]: () => json({ challenge: 'the-challenge', message: 'Please enter your code' }),
    [to(routes.finishSignIn)]: () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
  });
  const form = formOf(routes.signIn.path, ['email', 'password']);
  document.body.insertAdjacentHTML(
    'beforeend',
    `<div data-second-step hidden><form method="post" action="${routes.finishSignIn.path}">
      <p class="told" role="status" hidden></p><fieldset disabled><input type="hidden" name="challenge" />
      <div class="field"><label for="code">code</label><input id="code" name="code" /></div>
      <button type="submit">Continue</button></fieldset></form></div>`,
  );
  await enableSignIn(form);
  for (const other of document.querySelectorAll<HTMLFormElement>('[data-second-step] form'))
    enableSecondStep(other);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(form.hidden).toBe(true));
  expect(document.activeElement).toBe(screen.getByLabelText('code'));
  await user.keyboard('123456{Enter}');
  expect(await screen.findByText('Login failed: This code is wrong.')).toBeTruthy();
  expect(calls[1]?.body).toEqual({ challenge: 'the-challenge', code: '123456' });
});

test('whoever has a passkey is asked for it first, calmly again when it was canceled, and a code will do', async () => {
  const { get } = passkeyBrowser('canceled');
  const calls = serve({
    [to(routes.signIn)]: () =>
      json({ challenge: 'the-challenge', passkey: passkeyRequest, message: 'Please use your passkey' }),
    [to(routes.finishSignIn)]: () => problem(403, 'passkey_refused', 'This passkey is not yours.'),
  });
  const form = formOf(routes.signIn.path, ['email', 'password']);
  document.body.insertAdjacentHTML(
    'beforeend',
    `<div data-second-step hidden><div data-passkey hidden><p class="told" role="status"></p>
      <button type="button">Use your passkey</button></div>
      <form method="post" action="${routes.finishSignIn.path}"><p class="told" role="status" hidden></p>
      <fieldset disabled><input type="hidden" name="challenge" /><input name="code" /></fieldset></form></div>`,
  );
  await enableSignIn(form);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('password'), 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  const use = await screen.findByRole('button', { name: 'Use your passkey' });
  await waitFor(() => expect(document.activeElement).toBe(use));
  expect(get).not.toHaveBeenCalled();
  await user.click(use);
  const calm = await screen.findByText('No passkey was used. Try again when you are ready.');
  expect(calm.dataset['kind']).toBe('noted');
  expect(calls).toHaveLength(1);
  await waitFor(() => expect(use.ariaDisabled).toBeNull());
  await user.click(use);
  expect(await screen.findByText('Login failed: This passkey is not yours.')).toBeTruthy();
  expect(calls[1]?.body).toEqual({ challenge: 'the-challenge', passkey: signedByPasskey });
});

test('a registration that may have been made is not called failed, stays as it was typed, and is sent again under its key', async () => {
  const calls = serve({ [to(routes.register)]: unknown });
  enableRegistration(formOf(routes.register.path, ['lastname', 'email']));
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('lastname'), 'Lee');
  await user.type(screen.getByLabelText('email'), 'ann@example.org');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(UNKNOWN)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('email').value).toBe('ann@example.org');
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  await waitFor(() => expect(calls).toHaveLength(2));
  await user.type(screen.getByLabelText('lastname'), 's');
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  await waitFor(() => expect(calls).toHaveLength(3));
  const [first, again, other] = calls.map(({ headers }) => headers.get('idempotency-key'));
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test('two seconds after a registration the sign-in page comes', async () => {
  jest.useFakeTimers();
  serve({ [to(routes.register)]: () => json({ message: 'Registration successful' }) });
  const form = formOf(routes.register.path, ['email']);
  Object.assign(form.dataset, { done: 'Registration successful. Redirecting to login...', next: '#sign-in' });
  enableRegistration(form);
  form.requestSubmit();
  await jest.advanceTimersByTimeAsync(0);
  expect(screen.getByRole('status').textContent).toBe('Registration successful. Redirecting to login...');
  await jest.advanceTimersByTimeAsync(1_999);
  expect(location.hash).toBe('');
  await jest.advanceTimersByTimeAsync(1);
  expect(location.hash).toBe('#sign-in');
  history.replaceState(null, '', location.pathname);
});

test('an admin’s form is not there without an invitation', () => {
  const form = formOf(routes.register.path, ['invitation']);
  enableRegistration(form);
  expect(form.isConnected).toBe(false);
});

test('the form for a new password is shown once there is a link', async () => {
  const form = formOf(routes.resetPassword.path, ['token', 'newPassword']);
  enableByLink(form);
  expect(form.hidden).toBe(true);
  location.hash = 'the-token';
  await waitFor(() => expect(form.hidden).toBe(false));
  expect(location.hash).toBe('');
});

test('a new password is sent with the token of the link, which is in the address no longer', async () => {
  const calls = serve({
    [to(routes.resetPassword)]: () => problem(409, 'link_invalid', 'The link is used up.'),
  });
  location.hash = 'the-token';
  enableByLink(formOf(routes.resetPassword.path, ['token', 'newPassword']));
  expect(location.href).not.toContain('the-token');
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('newPassword'), 'a good long one');
  await user.click(screen.getByRole('button'));
  expect(await screen.findByText('The link is used up.')).toBeTruthy();
  expect(calls.map(({ body }) => body)).toEqual([{ token: 'the-token', newPassword: 'a good long one' }]);
});

test('whoever was shown other texts than are accepted now is shown those, and sends them', async () => {
  const accepting = (hash: string, title: string) =>
    `<div data-accepting><input type="hidden" name="terms" value="${hash}" /><p>${title}</p></div>`;
  const calls = serve({
    [to(routes.register)]: () => problem(409, 'terms_changed', 'Please read it again.'),
    [`GET ${location.pathname}`]: () => new Response(`<main>${accepting('new', 'New terms')}</main>`),
  });
  const form = formOf(routes.register.path, ['email']);
  form.querySelector('fieldset')?.insertAdjacentHTML('afterbegin', accepting('old', 'Old terms'));
  enableRegistration(form);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Please read it again.')).toBeTruthy();
  expect(await screen.findByText('New terms')).toBeTruthy();
  expect(screen.queryByText('Old terms')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  const sent = () => calls.filter(({ name }) => name === to(routes.register)).map(({ body }) => body);
  await waitFor(() => expect(sent()).toEqual(['old', 'new'].map((terms) => ({ email: '', terms }))));
});
