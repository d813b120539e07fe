import { describe, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { routes } from '../../api';
import { accountOf, clipboard, json, problem, renderApp, secondFactorOf, serve, to } from '../../testing';
import { nameOfAgent } from './agent';
import { DisplayForm } from './display-form';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { SecurityHistory } from './security-history';
import { Sessions } from './sessions';
import { ThemeChoice } from './theme-choice';

const of = { userId: 'amara' };
const describedBy = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent;
const press = (name: string) => screen.getByRole('button', { name });
const type = async (user: ReturnType<typeof renderApp>['user'], fields: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(fields)) {
    await user.clear(screen.getByLabelText(label));
    if (text !== '') await user.type(screen.getByLabelText(label), text);
  }
};

test('a profile saves what is filled in and nothing else', async () => {
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => json({ position: '7', message: 'User info updated successfully!' }),
  ];
  const calls = serve({ [to(routes.changeProfile, of)]: () => answers.shift()!() });
  const { user } = renderApp(<ProfileForm account={accountOf()} />);
  await type(user, { 'First name': '', Phone: '+234 2' });
  await user.click(press('Save profile'));
  expect(await screen.findByText('Failed to update user info.')).toBeTruthy();
  const copied = clipboard();
  await user.click(press('Copy Account number'));
  expect(copied.at(-1)).toBe(accountOf().accountNumber);
  expect((await screen.findByText('Account number copied')).closest('[role=status]')).toBeTruthy();
  await user.click(press('Save profile'));
  expect(await screen.findByText('User info updated successfully!')).toBeTruthy();
  expect(calls.map(({ body }) => body)).toEqual(Array(2).fill({ lastname: 'Nwosu', phone: '+234 2' }));
  expect(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('the security history says what happened from where, and who else did it', async () => {
  const event = (eventId: string, description: string, more: object = {}) => ({
    eventId,
    type: 'SignedIn',
    description,
    at: '2026-05-03T08:52:00.000Z',
    by: 'owner',
    ...more,
  });
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
  const pages = [
    () => problem(503, 'unavailable', 'Later.'),
    () =>
      json({
        events: [
          event('a', 'Signed in', { address: '192.0.2.7', agent }),
          event('b', 'All devices were signed out', { by: 'admin' }),
        ],
        next: 3,
        previous: null,
      }),
    () => json({ events: [event('c', 'Wrong password', { by: 'visitor' })], next: null, previous: 9 }),
  ];
  const calls = serve({ [to(routes.ownSecurityEvents)]: () => pages.shift()!() });
  const { user } = renderApp(<SecurityHistory />);
  await screen.findByRole('alert');
  await user.click(press('Retry'));
  expect(await screen.findByText('All devices were signed out, by the operator')).toBeTruthy();
  const [first] = screen.getAllByRole('listitem');
  expect(first?.textContent).toBe(`Signed in2026-05-03 08:52, from 192.0.2.7, ${nameOfAgent(agent)}`);
  await user.click(press('Show older'));
  expect(await screen.findByText('Wrong password')).toBeTruthy();
  expect(calls.at(-1)?.path.endsWith('?from=3')).toBe(true);
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull();
});

test('a password is changed with the old one, and with a code where the second factor is on', async () => {
  const answers = [
    () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
    () => problem(401, 'invalid_credentials', 'The password is wrong.'),
    () => problem(422, 'password_policy', 'Please choose a longer password.'),
    () => problem(503, 'unavailable', 'Later.'),
    () => json({ message: 'Password updated successfully!' }),
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf()),
    [to(routes.changePassword)]: () => answers.shift()!(),
  });
  const sent = () => calls.flatMap(({ body }) => body ?? []);
  const { user } = renderApp(<PasswordForm />);
  expect(await screen.findByLabelText('Code of your authenticator app')).toBeTruthy();
  await user.click(press('Change password'));
  expect(await screen.findAllByText('Incomplete information')).toHaveLength(2);
  await type(user, { 'Old password': 'old', 'New password': 'new', 'Confirm new password': 'other' });
  await user.click(press('Change password'));
  expect(await screen.findByText('Passwords do not match')).toBeTruthy();
  expect(screen.getByText('Please enter the code.')).toBeTruthy();
  expect(sent()).toEqual([]);
  await type(user, { 'Confirm new password': 'new', 'Code of your authenticator app': '123456' });
  for (const [label, words] of [
    ['Code of your authenticator app', 'This code is wrong.'],
    ['Old password', 'The password is wrong.'],
    ['New password', 'Please choose a longer password.'],
  ] as const) {
    await user.click(press('Change password'));
    const field = screen.getByLabelText(label);
    await waitFor(() => expect(describedBy(field)).toBe(words));
  }
  for (const words of ['Failed to reset password.', 'Password updated successfully!']) {
    await user.click(press('Change password'));
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect(screen.getByLabelText<HTMLInputElement>('Old password').value).toBe('');
  expect(sent()).toEqual(Array(5).fill({ oldPassword: 'old', newPassword: 'new', code: '123456' }));
  // The code is no part of the request: another one goes with the same key.
  const keys = calls.flatMap(({ headers }) => headers.get('idempotency-key') ?? []);
  expect(new Set(keys).size).toBe(1);
});

describe('how things are shown', () => {
  const saved = () => json({ position: '7', message: 'Display preferences saved.' });

  test('is chosen from lists, and a refusal stands at its field', async () => {
    const refused = [{ path: 'timeZone', message: 'Please choose a time zone of the list.' }];
    const answers = [() => problem(400, 'validation_failed', 'Wrong.', refused), saved];
    const calls = serve({ [to(routes.changePreferences, of)]: () => answers.shift()!() });
    const { user } = renderApp(<DisplayForm account={accountOf()} />);
    await user.selectOptions(screen.getByLabelText('Dates and numbers'), 'de-DE');
    await user.selectOptions(screen.getByLabelText('Time zone'), 'Africa/Lagos');
    await user.click(press('Save display'));
    expect(await screen.findByText('Please choose a time zone of the list.')).toBeTruthy();
    await user.click(press('Save display'));
    expect(await screen.findByText('Display preferences saved.')).toBeTruthy();
    expect(calls.map(({ body }) => body)).toEqual(
      Array(2).fill({ language: 'de-DE', timeZone: 'Africa/Lagos' }),
    );
  });

  test('has a zone that this browser does not list, when it is the account’s', () => {
    const preferences = { ...accountOf().preferences, timeZone: 'Etc/GMT+12' };
    renderApp(<DisplayForm account={accountOf({ preferences })} />);
    expect(screen.getByLabelText<HTMLSelectElement>('Time zone').value).toBe('Etc/GMT+12');
  });

  test('changes light and dark at once, and says when the account could not keep it', async () => {
    const answers = [saved, () => problem(503, 'unavailable', 'Later.')];
    const calls = serve({ [to(routes.changePreferences, of)]: () => answers.shift()!() });
    const { user } = renderApp(<ThemeChoice account={accountOf()} />);
    await user.click(screen.getByLabelText('Dark'));
    expect(screen.getByLabelText<HTMLInputElement>('Dark').checked).toBe(true);
    await user.click(screen.getByLabelText('Light'));
    expect(await screen.findByText('The theme is not kept with your account.')).toBeTruthy();
    expect(calls.map(({ body }) => body)).toEqual([{ theme: 'dark' }, { theme: 'light' }]);
  });
});

describe('devices', () => {
  const session = (sessionId: string, agent: string, current: boolean) => ({
    sessionId,
    createdAt: '2026-05-01T08:00:00.000Z',
    lastUsedAt: '2026-05-03T08:52:00.000Z',
    endsAt: '2026-06-01T08:00:00.000Z',
    address: '102.89.4.17',
    agent,
    current,
  });
  const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.4; rv:132.0) Gecko/20100101 Firefox/132.0';
  const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36';

  test('are signed out one by one, or all but this', async () => {
    let items = [session('s1', firefox, true), session('s2', chrome, false)];
    const calls = serve({
      [to(routes.ownSessions)]: () => json({ items }),
      [to(routes.endOwnSession, { sessionId: 's2' })]: () => {
        items = items.slice(0, 1);
        return json({ ended: 1, message: 'ok' });
      },
    });
    const { user } = renderApp(<Sessions />);
    const list = await screen.findByRole('list', { name: 'Devices' });
    expect(await within(list).findByText('Firefox on macOS')).toBeTruthy();
    expect(within(list).getByText('This device')).toBeTruthy();
    await user.click(press('Sign out Chrome on Android'));
    expect(await screen.findByText('Signed out')).toBeTruthy();
    await waitFor(() => expect(within(list).queryByText('Chrome on Android')).toBeNull());
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sign out everywhere else' }).disabled).toBe(
      true,
    );
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  test.each([
    [firefox, 'Firefox on macOS'],
    [chrome, 'Chrome on Android'],
    [`${chrome} Edg/131.0`, 'Edge on Android'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'A program that gave no name'],
  ])('%s is %s', (agent, name) => {
    expect(nameOfAgent(agent)).toBe(name);
  });
});
