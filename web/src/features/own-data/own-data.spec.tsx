import { afterEach, expect, jest, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { AccountView } from '#contracts';
import { routes } from '../../api';
import {
  accountOf,
  json,
  noSecondFactor,
  passkeyBrowser,
  passkeyOf,
  passkeyRequest,
  problem,
  renderApp,
  secondFactorOf,
  serve,
  signedByPasskey,
  to,
} from '../../testing';
import { CloseAccount, DownloadData } from '.';

const press = (name: string) => screen.getByRole('button', { name });
const nothing = { balance: '0.00', available: '0.00', held: '0.00' };
/** An account that can be closed: half a cent is left of it. */
const empty: Partial<AccountView> = {
  wallet: nothing,
  totals: { ...accountOf().totals, openRequests: 0 },
  sendable: { BTC: '0.00', PI: '0.00', USDT: '0.00' },
};

afterEach(() => {
  jest.restoreAllMocks();
});

/** Has links pressed without going anywhere; gives those that were. */
function pressedLinks(): HTMLAnchorElement[] {
  URL.createObjectURL = () => 'blob:data';
  URL.revokeObjectURL = () => undefined;
  return jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined).mock
    .contexts as HTMLAnchorElement[];
}

test('one’s data is asked for with the password and the code, and comes as a file', async () => {
  const links = pressedLinks();
  const answers = [
    () => problem(401, 'invalid_credentials', 'Wrong e-mail or password.'),
    () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
    () => problem(429, 'rate_limited', 'You downloaded your data often. Please wait a little.'),
    () => problem(503, 'overloaded', 'Too many files are being made. Try again.'),
    () => new Response('cut off', { status: 502 }),
    () => json({ account: accountOf() }),
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf()),
    [to(routes.downloadOwnData)]: () => answers.shift()!(),
  });
  const { user } = renderApp(<DownloadData />);
  await screen.findByLabelText('Code of your authenticator app');
  await user.click(press('Download my data'));
  expect(await screen.findByText('Please enter your password.')).toBeTruthy();
  expect(screen.getByText('Please enter the code.')).toBeTruthy();
  await user.type(screen.getByLabelText('Your password'), 'horse');
  await user.type(screen.getByLabelText('Code of your authenticator app'), '123456');
  for (const words of [
    'Wrong e-mail or password.',
    'This code is wrong.',
    'You downloaded your data often. Please wait a little.',
    'Your data could not be downloaded. Please try again.',
  ]) {
    await user.click(press('Download my data'));
    expect(await screen.findByText(words)).toBeTruthy();
  }
  await user.click(press('Download my data'));
  await waitFor(() => expect(answers).toHaveLength(1));
  expect(links).toHaveLength(0);
  await waitFor(() => expect(press('Download my data')).toBeTruthy());
  await user.click(press('Download my data'));
  expect(await screen.findByText('Your data was downloaded.')).toBeTruthy();
  expect(links.map(({ download, href }) => [download, href])).toEqual([['lode-data.json', 'blob:data']]);
  expect(screen.getByLabelText<HTMLInputElement>('Your password').value).toBe('');
  const sent = calls.filter(({ name }) => name === to(routes.downloadOwnData));
  expect(sent.map(({ body }) => body)).toEqual(
    Array(6).fill({ proof: { password: 'horse', code: '123456' } }),
  );
  expect(sent[0]?.headers.get('content-type')).toBe('application/json');
});

test('an account with money or an open request says why it can’t be closed, and asks nothing', async () => {
  for (const left of [
    { sendable: { BTC: '0.01', PI: '0.00', USDT: '0.00' } },
    { totals: { ...accountOf().totals, openRequests: 1 } },
    { wallet: { ...nothing, held: '1.00' } },
  ]) {
    const { unmount } = renderApp(
      <CloseAccount account={accountOf({ ...empty, ...left })} onClosed={() => undefined} />,
    );
    expect(screen.getByText('Your account has money or open requests')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    unmount();
  }
});

test('an account is closed once its e-mail address is typed and its owner proved it, and may be kept before', async () => {
  const closed = jest.fn();
  const answers = [
    () => problem(401, 'invalid_credentials', 'Wrong e-mail or password.'),
    () => problem(409, 'account_not_empty', 'This account has money or open requests.'),
    () => json({ message: 'Your account is closed.' }),
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(noSecondFactor),
    [to(routes.closeAccount)]: () => answers.shift()!(),
  });
  const { user, store } = renderApp(<CloseAccount account={accountOf(empty)} onClosed={closed} />);
  await user.click(press('Close account'));
  await user.click(press('Keep my account'));
  await user.click(press('Close account'));
  const typed = screen.getByLabelText('Your e-mail address, to confirm');
  await user.type(typed, 'somebody@example.com');
  await user.click(press('Close it for ever'));
  expect(await screen.findByText('Please type the e-mail address of your account.')).toBeTruthy();
  expect(screen.getByText('Please enter your password.')).toBeTruthy();
  await user.clear(typed);
  await user.type(typed, 'Amara@example.com ');
  await user.type(screen.getByLabelText('Your password'), 'horse');
  for (const words of ['Wrong e-mail or password.', 'This account has money or open requests.']) {
    await user.click(press('Close it for ever'));
    expect(await screen.findByText(words)).toBeTruthy();
    expect(store.getState().session.phase).toBe('signed-in');
  }
  expect(closed).not.toHaveBeenCalled();
  await user.click(press('Close it for ever'));
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  await waitFor(() => expect(store.getState().session).toMatchObject({ phase: 'left', user: null }));
  const sent = calls.filter(({ name }) => name === to(routes.closeAccount)).map(({ body }) => body);
  expect(sent).toEqual(Array(3).fill({ proof: { password: 'horse' } }));
});

test('a session that ends before the closing is answered asks nobody to sign in again', async () => {
  let answer: (response: Response) => void = () => undefined;
  serve({
    [to(routes.secondFactor)]: () => json(noSecondFactor),
    [to(routes.closeAccount)]: () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
    [to(routes.me)]: () => problem(401, 'token_invalid', 'It is over.'),
    [to(routes.refresh)]: () => problem(401, 'token_invalid', 'It is over.'),
  });
  const { user, store, session } = renderApp(
    <CloseAccount account={accountOf(empty)} onClosed={() => undefined} />,
  );
  await user.click(press('Close account'));
  await user.type(screen.getByLabelText('Your e-mail address, to confirm'), 'amara@example.com');
  await user.type(screen.getByLabelText('Your password'), 'horse');
  await user.click(press('Close it for ever'));
  await waitFor(() => expect(store.getState().session.phase).toBe('closing'));
  expect((await session.fetch(routes.me.path)).status).toBe(401);
  expect(store.getState().session.phase).toBe('closing');
  expect(screen.getByRole('button', { name: 'Please wait' })).toBeTruthy();
  answer(json({ message: 'Your account is closed.' }));
  await waitFor(() => expect(store.getState().session.phase).toBe('left'));
});

test('a closing that nobody answers is not said to have failed', async () => {
  serve({
    [to(routes.secondFactor)]: () => json(noSecondFactor),
    [to(routes.closeAccount)]: () => new Response('cut off', { status: 502 }),
  });
  const { user } = renderApp(<CloseAccount account={accountOf(empty)} onClosed={() => undefined} />);
  await user.click(press('Close account'));
  await user.type(screen.getByLabelText('Your e-mail address, to confirm'), 'amara@example.com');
  await user.type(screen.getByLabelText('Your password'), 'horse');
  await user.click(press('Close it for ever'));
  expect(await screen.findByText(/^We don’t know yet whether your account was closed/)).toBeTruthy();
  expect(screen.queryByText(/could not be closed/)).toBeNull();
});

test('a passkey closes an account as well, of whoever has no app', async () => {
  passkeyBrowser();
  const closed = jest.fn();
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf({ hasApp: false, passkeys: [passkeyOf] })),
    [to(routes.askPasskey)]: () => json(passkeyRequest),
    [to(routes.closeAccount)]: () => json({ message: 'Your account is closed.' }),
  });
  const { user } = renderApp(<CloseAccount account={accountOf(empty)} onClosed={closed} />);
  await user.click(press('Close account'));
  await user.type(screen.getByLabelText('Your e-mail address, to confirm'), 'amara@example.com');
  await screen.findByText('Your browser asks for your passkey when you send this.');
  await user.click(press('Close it for ever'));
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  const sent = calls.find(({ name }) => name === to(routes.closeAccount));
  expect(sent?.body).toEqual({ proof: { passkey: signedByPasskey } });
});
