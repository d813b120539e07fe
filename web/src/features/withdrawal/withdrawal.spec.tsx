import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { pagePaths, type AccountView } from '#contracts';
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
  withdrawableOf,
} from '../../testing';
import { AddressForm } from './address-form';
import { WithdrawalForm } from './withdrawal-form';

const ADDRESS = 'TKm2cD9sQx7VbN4rFy6HtLpE8wZa1JuG5i';
const of = { userId: 'amara' };
const prices = { prices: { BTC: '62410.00000000', PI: '1.00000000', USDT: '1.00000000' } };
const accepted = () =>
  json({ requestId: 'r1', status: 'Pending', convertedAmount: '92.50', position: '7', message: 'ok' });

const payout = { address: ADDRESS, network: 'tron', next: null } as const;
const walletAddresses = { ...accountOf().walletAddresses, BTC: payout, USDT: payout };

function open(request: () => Response, changes: Partial<AccountView> = {}, factors = noSecondFactor) {
  const calls = serve({
    [to(routes.secondFactor)]: () => json(factors),
    [to(routes.withdrawable, of)]: () => json(withdrawableOf()),
    [to(routes.prices)]: () => json(prices),
    [to(routes.askPasskey)]: () => json(passkeyRequest),
    [to(routes.requestWithdrawal)]: request,
  });
  let done = 0;
  const account = accountOf({ walletAddress: ADDRESS, walletAddresses, ...changes });
  const page = renderApp(<WithdrawalForm account={account} onDone={() => (done += 1)} />);
  const asked = () => calls.filter(({ name }) => name === to(routes.requestWithdrawal));
  return { ...page, asked, done: () => done };
}

const amount = () => screen.getByLabelText<HTMLInputElement>('Amount, USD');
const proof = () => screen.getByLabelText('Transfer pin or password');
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit request' });
const choose = (user: UserEvent, currency: string) =>
  user.click(screen.getByRole('radio', { name: new RegExp(`^${currency}`) }));

test('refuses more than the service says can be withdrawn, and sends that much with the address that is shown', async () => {
  const { user, asked, done } = open(accepted);
  await choose(user, 'USDT');
  expect(await screen.findByText('1,404.00 USD')).toBeTruthy();
  await user.type(amount(), '1,404.01');
  expect(screen.getByText('Insufficient USDT wallet balance!')).toBeTruthy();
  expect(button().disabled).toBe(true);

  await user.click(screen.getByRole('button', { name: 'Use 1,404.00' }));
  expect(screen.queryByText(/Insufficient/)).toBeNull();
  await user.click(button());
  expect(await screen.findByText('Please enter your transfer pin or your password.')).toBeTruthy();
  expect(asked()).toEqual([]);
  await user.type(proof(), '4711');
  await user.click(button());
  expect(await screen.findByText('Your request has been submitted successfully!')).toBeTruthy();
  expect(asked().map(({ body }) => body)).toEqual([
    { amount: '1404.00', currency: 'USDT', walletAddress: ADDRESS, proof: { pin: '4711' } },
  ]);
  expect(done()).toBe(1);
});

test.each([
  ...['', '0', '-5', '1e3', '10.001'].map((text) => [text, 'Please enter a valid amount.'] as const),
  ['12,50', 'Write cents after a point, as in 1250.50. A comma only parts thousands.'] as const,
])('refuses %j as an amount and sends nothing', async (text, words) => {
  const { user, asked } = open(accepted);
  if (text !== '') await user.type(amount(), text);
  await user.click(button());
  expect(await screen.findByText(words)).toBeTruthy();
  expect(asked()).toEqual([]);
});

test('shows where it goes and over which network, and asks for nothing without an address', async () => {
  const { user, asked } = open(accepted);
  expect(screen.getByText(ADDRESS)).toBeTruthy();
  expect(screen.getByText('Tron (TRC-20)')).toBeTruthy();
  await choose(user, 'PI');
  expect(screen.getByText('Pi Network')).toBeTruthy();
  expect(screen.getByText(/^Save an address for PI in/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe(pagePaths.settings);
  expect(button().disabled).toBe(true);
  expect(asked()).toEqual([]);
});

test('says why money out waits, and until when', () => {
  open(accepted, { moneyOut: { until: '2026-11-24T10:00:00.000Z', why: 'password_reset' } });
  expect(screen.getByText(/Because your password was reset, no money can leave/)).toBeTruthy();
  expect(button().disabled).toBe(true);
});

test('another address that waits is shown with its time, and can be canceled', async () => {
  const next = { address: 'TOther', from: '2026-11-24T10:00:00.000Z' };
  const calls = serve({
    [to(routes.secondFactor)]: () => json(noSecondFactor),
    [to(routes.cancelWalletAddress, of)]: () => json({ position: '7', message: 'ok' }),
  });
  const account = accountOf({ walletAddresses: { ...walletAddresses, BTC: { ...payout, next } } });
  const { user } = renderApp(<AddressForm {...account} />);
  expect(screen.getByText('TOther')).toBeTruthy();
  expect(screen.getByText(/In force after 24 hours/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel the change' }));
  expect(await screen.findByText('The wallet address stays as it is.')).toBeTruthy();
  expect(calls.flatMap(({ body }) => body ?? [])).toEqual([{ currency: 'BTC' }]);
});

test('an address that waits where none is in force is no first one, and can be canceled', async () => {
  const next = { address: 'TOther', from: '2026-11-24T10:00:00.000Z' };
  const waiting = { ...walletAddresses, BTC: { ...payout, address: null, next } };
  const { unmount } = open(accepted, { walletAddresses: waiting });
  expect(screen.getByText('TOther')).toBeTruthy();
  expect(screen.queryByText(/Save an address for BTC/)).toBeNull();
  expect(button().disabled).toBe(true);
  unmount();
  serve({ [to(routes.secondFactor)]: () => json(noSecondFactor) });
  renderApp(<AddressForm {...accountOf({ walletAddresses: waiting })} />);
  expect(screen.getByText('In force after 24 hours.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Cancel the change' })).toBeTruthy();
});

test('what the service refuses is said at its field, what failed is sent again under the same key', async () => {
  const answers = [
    () => problem(403, 'pin_wrong', 'Wrong transfer pin. Tries left: 4.'),
    () => problem(409, 'insufficient_balance', 'Insufficient wallet balance'),
    () => problem(503, 'unavailable', 'Later.'),
    () => problem(503, 'unknown_outcome', 'It is not known.'),
    accepted,
  ];
  const { user, asked } = open(() => (answers.shift() ?? accepted)());
  await user.type(amount(), '10');
  await user.type(proof(), '0000');
  await user.click(button());
  expect(await screen.findByText('Wrong transfer pin. Tries left: 4.')).toBeTruthy();
  await user.clear(proof());
  await user.type(proof(), '4711');
  await user.click(button());
  expect(await screen.findByText('Insufficient wallet balance')).toBeTruthy();
  await user.click(button());
  expect(
    await screen.findByText('There was an error submitting your request. Please try again.'),
  ).toBeTruthy();
  await user.click(button());
  expect(
    await screen.findByText("We don't know yet whether this was done. Send it again: it is never done twice"),
  ).toBeTruthy();
  expect(amount().value).toBe('10');
  await user.click(button());
  expect(await screen.findByText('Your request has been submitted successfully!')).toBeTruthy();
  expect(new Set(asked().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('an address is saved, with a code where the second factor is on, and the service’s word stands at the field', async () => {
  const answers = [
    () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
    () => problem(503, 'unavailable', 'Later.'),
    () => json({ position: '7', message: 'wallet address updated' }),
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf()),
    [to(routes.saveWalletAddress, of)]: () => answers.shift()!(),
  });
  const sent = () => calls.flatMap(({ body }) => body ?? []);
  const { user } = renderApp(<AddressForm {...accountOf()} isFirst />);
  await user.type(await screen.findByLabelText('Code of your authenticator app'), '123456');
  const save = () => user.click(screen.getByRole('button', { name: 'Save address' }));
  await save();
  expect(await screen.findByText('Please enter a wallet address.')).toBeTruthy();
  expect(sent()).toEqual([]);
  await user.type(screen.getByLabelText('Wallet address'), ADDRESS);
  await user.type(screen.getByLabelText('Your password'), 'correct horse');
  await save();
  expect(await screen.findByText('This code is wrong.')).toBeTruthy();
  await save();
  expect(await screen.findByText('Error updating wallet address. Try again.')).toBeTruthy();
  await save();
  expect(await screen.findByText('wallet address updated')).toBeTruthy();
  const proof = { password: 'correct horse', code: '123456' };
  expect(sent()).toEqual(Array(3).fill({ walletAddress: ADDRESS, currency: 'BTC', proof }));
});

test('whoever has a passkey uses it in the place of the pin, where the browser has any', async () => {
  const has = secondFactorOf({ passkeys: [passkeyOf] });
  serve({ [to(routes.secondFactor)]: () => json(has) });
  const { unmount } = renderApp(<AddressForm {...accountOf()} />);
  expect(await screen.findByLabelText('Code of your authenticator app')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  unmount();
  passkeyBrowser();
  const { user, asked } = open(accepted, {}, has);
  await user.type(amount(), '10');
  await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  expect(screen.queryByLabelText('Transfer pin or password')).toBeNull();
  await user.click(button());
  expect(await screen.findByText('Your request has been submitted successfully!')).toBeTruthy();
  expect(asked().map(({ body }) => body)).toMatchObject([
    { amount: '10', proof: { passkey: signedByPasskey } },
  ]);
});

test('an address is saved by a passkey alone', async () => {
  passkeyBrowser();
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf({ hasApp: false, passkeys: [passkeyOf] })),
    [to(routes.askPasskey)]: () => json(passkeyRequest),
    [to(routes.saveWalletAddress, of)]: () => json({ position: '7', message: 'wallet address updated' }),
  });
  const { user } = renderApp(<AddressForm {...accountOf()} isFirst />);
  await screen.findByText('Your browser asks for your passkey when you send this.');
  expect(screen.queryByLabelText('Your password')).toBeNull();
  await user.type(screen.getByLabelText('Wallet address'), ADDRESS);
  await user.click(screen.getByRole('button', { name: 'Save address' }));
  expect(await screen.findByText('wallet address updated')).toBeTruthy();
  expect(calls.flatMap(({ body }) => body ?? [])).toEqual([
    { for: 'security' },
    { walletAddress: ADDRESS, currency: 'BTC', proof: { passkey: signedByPasskey } },
  ]);
});
