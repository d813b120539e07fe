import { expect, jest, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { pathOf, adminRoutes, routes, useAppSelector, useTotalsQuery } from '../../api';
import {
  json,
  noSecondFactor,
  passkeyBrowser,
  passkeyCreation,
  passkeyOf,
  problem,
  renderApp,
  secondFactorOf,
  serve,
  to,
} from '../../testing';
import SecondFactorFirst from './second-factor-first';

const TITLE = 'Set up your second factor';

/** What an admin works with. */
function Work() {
  const { data } = useTotalsQuery();
  return <p>{data === undefined ? 'Nothing yet' : 'Work'}</p>;
}

/** A service that asks admins for a second factor, or not. */
function service({ needs }: { readonly needs: boolean }) {
  const state = { needs, isOn: false, hasPasskey: false };
  const isDue = () => state.needs && !state.isOn;
  const calls = serve({
    [to(routes.secondFactor)]: () =>
      json({
        ...(state.isOn ? secondFactorOf({ passkeys: state.hasPasskey ? [passkeyOf] : [] }) : noSecondFactor),
        isDue: isDue(),
      }),
    [to(routes.beginSecondFactor)]: () =>
      json({ secret: 'ABCDEFGH', uri: 'otpauth://totp/Lode:a?secret=ABCDEFGH', message: 'Confirm it' }),
    [to(routes.confirmSecondFactor)]: () => {
      state.isOn = true;
      return json({ recoveryCodes: ['aaaa-bbbb'], message: 'Second factor is on' });
    },
    [to(routes.beginPasskey)]: () => json(passkeyCreation),
    [to(routes.addPasskey)]: () => {
      [state.isOn, state.hasPasskey] = [true, true];
      return json({ recoveryCodes: ['aaaa-bbbb'], message: 'Passkey added' });
    },
    [to(adminRoutes.totals)]: () =>
      isDue() ? problem(403, 'second_factor_required', 'Please set up your second factor first.') : json({}),
    [to(routes.signOut)]: () => json({ message: 'Logged out' }),
  });
  return { calls, state };
}

/** Nothing of the page is left once somebody has gone. */
function WhileSignedIn({ children }: { readonly children: ReactNode }) {
  return useAppSelector(({ session }) => session.user !== null) && children;
}

const show = () =>
  renderApp(
    <WhileSignedIn>
      <SecondFactorFirst>
        <Work />
      </SecondFactorFirst>
    </WhileSignedIn>,
    { role: 'admin' },
  );

type User = ReturnType<typeof show>['user'];

async function setUp(user: User): Promise<void> {
  await user.type(await screen.findByLabelText('Your password'), 'horse');
  await user.click(screen.getByRole('button', { name: 'Set up' }));
  await user.type(await screen.findByLabelText('Code that the app shows'), '123456');
  await user.click(screen.getByRole('button', { name: 'Switch on' }));
}

test('an admin who needs none works as ever', async () => {
  service({ needs: false });
  show();
  expect(await screen.findByText('Work')).toBeTruthy();
});

test('one who has none sees its set-up alone, keeps the recovery codes, and then works', async () => {
  const { calls } = service({ needs: true });
  const { user } = show();
  expect(await screen.findByRole('heading', { name: TITLE })).toBeTruthy();
  await setUp(user);
  expect(await screen.findByText('aaaa-bbbb')).toBeTruthy();
  expect(calls.filter(({ name }) => name === to(adminRoutes.totals))).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByText('Work')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: TITLE })).toBeNull();
});

test('where there can be passkeys one sets up one of them, or an app instead', async () => {
  passkeyBrowser();
  const { calls } = service({ needs: true });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Use an authenticator app instead' }));
  expect(await screen.findByRole('button', { name: 'Set up' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Use a passkey instead' }));
  await user.type(await screen.findByLabelText('Your password'), 'horse');
  await user.click(screen.getByRole('button', { name: 'Add a passkey' }));
  await user.type(await screen.findByLabelText('Name of the passkey'), 'Telephone');
  await user.click(screen.getByRole('button', { name: 'Make the passkey' }));
  expect(await screen.findByText('aaaa-bbbb')).toBeTruthy();
  expect(calls.filter(({ name }) => name === to(adminRoutes.totals))).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByText('Work')).toBeTruthy();
});

test('at work, the set-up takes the page at the first refusal, whatever was asked for', async () => {
  const { state } = service({ needs: false });
  const { user, session } = show();
  expect(await screen.findByText('Work')).toBeTruthy();
  state.needs = true;
  await act(async () => {
    await session.fetch(pathOf(adminRoutes.totals));
  });
  expect(await screen.findByRole('heading', { name: TITLE })).toBeTruthy();
  expect(screen.queryByText('Work')).toBeNull();
  await setUp(user);
  await user.click(await screen.findByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByText('Work')).toBeTruthy();
});

test('one who sets it up elsewhere, or no longer needs one, works on by itself', async () => {
  const { state } = service({ needs: true });
  jest.useFakeTimers();
  try {
    show();
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(screen.getByRole('heading', { name: TITLE })).toBeTruthy();
    state.needs = false;
    await act(() => jest.advanceTimersByTimeAsync(10_000));
  } finally {
    jest.useRealTimers();
  }
  expect(await screen.findByText('Work')).toBeTruthy();
});

test('whose session is over while that is asked comes to the page, which asks to sign in again', async () => {
  serve({
    [to(routes.secondFactor)]: () => problem(401, 'token_expired', 'The session has expired.'),
    [to(routes.refresh)]: () => problem(401, 'token_invalid', 'The session is over.'),
    [to(adminRoutes.totals)]: () => problem(401, 'token_expired', 'The session has expired.'),
  });
  const { store } = show();
  await waitFor(() => expect(store.getState().session.phase).toBe('expired'));
  expect(await screen.findByText('Nothing yet')).toBeTruthy();
});

test('one who has the telephone elsewhere logs out', async () => {
  service({ needs: true });
  const { user, store } = show();
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(store.getState().session.user).toBeNull());
  expect(screen.queryByRole('heading', { name: TITLE })).toBeNull();
});

test('where it can’t be asked, the page is shown, and the service refuses what it refuses', async () => {
  serve({
    [to(routes.secondFactor)]: () => problem(503, 'unavailable', 'Later.'),
    [to(adminRoutes.totals)]: () => json({}),
  });
  show();
  expect(await screen.findByText('Work')).toBeTruthy();
});
