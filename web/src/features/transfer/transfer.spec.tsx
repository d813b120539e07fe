import { describe, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
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
import { PinForm } from '../security';
import { TransferForm } from './transfer-form';

const JONAS = '3084221907';
const NOBODY = '9900000001';
const UNANSWERED = '3222222222';
const prices = { prices: { BTC: '62410.00000000', PI: '1.00000000', USDT: '1.00000000' } };
const accepted = () => json({ requestId: 'r1', status: 'Pending', position: '7', message: 'ok' });
const holder = (accountNumber: string) => to(routes.accountHolder, { accountNumber });

const jonas = () => json({ accountNumber: JONAS, accountName: 'Jonas Lindqvist' });
const nobody = () => problem(404, 'account_number_unknown', 'No user found with this account number.');

function open(request: () => Response = accepted, ofJonas = jonas) {
  const calls = serve({
    [to(routes.prices)]: () => json(prices),
    [to(routes.secondFactor)]: () => json(noSecondFactor),
    [holder(JONAS)]: () => ofJonas(),
    [holder(NOBODY)]: nobody,
    [holder(UNANSWERED)]: () => new Promise<Response>(() => undefined),
    [holder('3000000000')]: () => problem(422, 'account_number_unusable', 'User data is incomplete.'),
    [holder('3111111111')]: () => problem(503, 'unavailable', 'Later.'),
    [to(routes.requestTransfer)]: request,
  });
  let done = 0;
  const page = renderApp(<TransferForm account={accountOf()} hasPin onDone={() => (done += 1)} />);
  const asked = () => calls.filter(({ name }) => name === to(routes.requestTransfer));
  const lookUps = () => calls.filter(({ name }) => name.startsWith(holder('')));
  return { ...page, asked, lookUps, done: () => done };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (user: UserEvent, fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).reduce<Promise<void>>(
    (before, [label, text]) => before.then(() => user.type(field(label), text)),
    Promise.resolve(),
  );
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit transfer' });
const submit = (user: UserEvent) => user.click(button());
const usdt = (user: UserEvent) => user.click(screen.getByRole('radio', { name: /^USDT/ }));

describe('a number', () => {
  test('is looked up at exactly ten characters, and a customer needs no bank', async () => {
    const { user, asked, lookUps, done } = open();
    await type(user, { 'Account number': '308422190' });
    expect(lookUps()).toEqual([]);
    await type(user, { 'Account number': '7' });
    await waitFor(() => expect(field('Account name').value).toBe('Jonas Lindqvist'));
    expect(field('Account name').readOnly).toBe(true);
    expect(field('Bank').value).toBe('On this platform');
    await user.click(screen.getByRole('radio', { name: 'International' }));
    for (const label of ['Bank name', 'Routing number', 'SWIFT/BIC/IBAN'])
      expect(screen.queryByLabelText(label)).toBeNull();

    await usdt(user);
    await type(user, { 'Amount, USD': '600', Narration: 'Rent', 'Transfer pin': '4711' });
    await submit(user);
    expect(await screen.findByText('Transfer submitted successfully!')).toBeTruthy();
    expect(asked()[0]?.body).toEqual({
      transferType: 'international',
      accountNumber: JONAS,
      currency: 'USDT',
      amount: '600',
      narration: 'Rent',
      pin: '4711',
    });
    expect(done()).toBe(1);
  });

  test('that is being looked up shows no name of the number before it', async () => {
    const { user } = open();
    await type(user, { 'Account number': JONAS });
    await waitFor(() => expect(field('Account name').value).toBe('Jonas Lindqvist'));
    await user.clear(field('Account number'));
    await user.paste(UNANSWERED);
    expect(field('Account number').value).toBe(UNANSWERED);
    expect(field('Account name').value).toBe('');
  });

  test('of nobody goes to a bank, whose details are needed, abroad its code too', async () => {
    const { user, asked } = open();
    await type(user, { 'Account number': NOBODY });
    expect(await screen.findByText(/^No user found with this account number\./)).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'International' }));
    await submit(user);
    expect(await screen.findAllByText('Incomplete information')).toHaveLength(3);
    expect(screen.getByText('Please enter a valid amount.')).toBeTruthy();
    expect(screen.getByText('A transfer pin has 4 digits.')).toBeTruthy();
    expect(asked()).toEqual([]);

    await usdt(user);
    const typed = { 'Account name': 'Carl Miller', 'Bank name': 'First Bank', 'SWIFT/BIC/IBAN': 'FBKSESS' };
    await type(user, { ...typed, 'Amount, USD': '5', 'Transfer pin': '4711' });
    await submit(user);
    expect(await screen.findByText('Transfer submitted successfully!')).toBeTruthy();
    expect(asked()[0]?.body).toMatchObject({
      transferType: 'international',
      accountName: 'Carl Miller',
      bankName: 'First Bank',
      swiftBicIban: 'FBKSESS',
    });
  });

  test.each([
    ['3000000000', 'User data is incomplete.'],
    ['3111111111', 'Error fetching account information.'],
  ])('%s that can’t be looked up says why, and is not sent to', async (number, words) => {
    const { user } = open();
    await type(user, { 'Account number': number });
    expect(await screen.findByText(words)).toBeTruthy();
    expect(button().disabled).toBe(true);
  });
});

test('a customer who is gone when it is sent is looked up again, and the form asks for a bank', async () => {
  const incomplete = ['bankName', 'accountName'].map((path) => ({ path, message: 'Incomplete information' }));
  const answers = [() => problem(400, 'validation_failed', 'Incomplete information', incomplete), accepted];
  const holders = [jonas, nobody];
  const { user, asked, done } = open(
    () => (answers.shift() ?? accepted)(),
    () => (holders.shift() ?? nobody)(),
  );
  await type(user, { 'Account number': JONAS });
  await waitFor(() => expect(field('Account name').value).toBe('Jonas Lindqvist'));
  await usdt(user);
  await type(user, { 'Amount, USD': '10', 'Transfer pin': '4711' });
  await submit(user);
  expect(
    await screen.findByText('This account number is no customer’s any more. Nothing was sent.'),
  ).toBeTruthy();
  expect(await screen.findByText(/^No user found with this account number\./)).toBeTruthy();

  await type(user, { 'Account name': 'Carl Miller', 'Bank name': 'First Bank' });
  await submit(user);
  expect(await screen.findByText('Transfer submitted successfully!')).toBeTruthy();
  expect(asked()).toHaveLength(2);
  expect(asked()[1]?.body).toMatchObject({ accountName: 'Carl Miller', bankName: 'First Bank' });
  expect(done()).toBe(1);
});

test('an amount above what can be sent is refused, as the service says it', async () => {
  const { user } = open();
  await usdt(user);
  await type(user, { 'Amount, USD': '1,405.01' });
  expect(screen.getByText('Insufficient USDT wallet balance!')).toBeTruthy();
  expect(button().disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Use 1,405.00' }));
  expect(button().disabled).toBe(false);
});

test('an amount with a decimal comma is refused and not taken for a hundred times as much', async () => {
  const { user, asked } = open();
  await type(user, { 'Account number': JONAS });
  await waitFor(() => expect(field('Account name').value).toBe('Jonas Lindqvist'));
  await type(user, { 'Amount, USD': '12,50', 'Transfer pin': '4711' });
  await submit(user);
  expect(await screen.findByText(/^Write cents after a point/)).toBeTruthy();
  expect(asked()).toEqual([]);
});

test('a wrong pin is typed anew; what failed is sent again under the same key', async () => {
  const answers = [
    () => problem(403, 'pin_wrong', 'Wrong transfer pin. Tries left: 4.'),
    () => problem(503, 'unavailable', 'Later.'),
    () => problem(503, 'unknown_outcome', 'It is not known.'),
    accepted,
  ];
  const { user, asked } = open(() => (answers.shift() ?? accepted)());
  await type(user, { 'Account number': JONAS });
  await waitFor(() => expect(field('Account name').value).toBe('Jonas Lindqvist'));
  await usdt(user);
  await type(user, { 'Amount, USD': '10', 'Transfer pin': '0000' });
  await submit(user);
  expect(await screen.findByText('Wrong transfer pin. Tries left: 4.')).toBeTruthy();
  expect(field('Transfer pin').value).toBe('');
  await type(user, { 'Transfer pin': '4711' });
  for (const words of [
    'Failed to submit transfer. Please try again.',
    "We don't know yet whether this was done. Send it again: it is never done twice",
    'Transfer submitted successfully!',
  ]) {
    await submit(user);
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect(asked().map(({ body }) => (body as { pin: string }).pin)).toEqual(['0000', '4711', '4711', '4711']);
  expect(new Set(asked().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('a pin is set with the password, and with a code where the second factor is on', async () => {
  const answers = [
    () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
    () => problem(403, 'invalid_credentials', 'The password is wrong.'),
    () => json({ message: 'Transfer pin updated successfully!' }),
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf()),
    [to(routes.setTransferPin)]: () => answers.shift()!(),
  });
  const sent = () => calls.flatMap(({ body }) => body ?? []);
  const { user } = renderApp(<PinForm state="missing" />);
  await user.type(await screen.findByLabelText('Code of your authenticator app'), '123456');
  const set = () => user.click(screen.getByRole('button', { name: 'Set pin' }));
  await type(user, { 'New transfer pin': '47' });
  await set();
  expect(await screen.findByText('A transfer pin has 4 digits.')).toBeTruthy();
  expect(screen.getByText('Please enter your password.')).toBeTruthy();
  expect(sent()).toEqual([]);
  await type(user, { 'New transfer pin': '11', 'Your password': 'secret' });
  await set();
  expect(await screen.findByText('This code is wrong.')).toBeTruthy();
  await set();
  expect(await screen.findByText('The password is wrong.')).toBeTruthy();
  await set();
  expect(await screen.findByText('Transfer pin updated successfully!')).toBeTruthy();
  expect(sent()).toEqual(Array(3).fill({ pin: '4711', password: 'secret', code: '123456' }));
});

test.each([true, false])('a passkey stands for the pin, whether there is one (%s) or not', async (hasPin) => {
  passkeyBrowser('canceled');
  const asks = [
    () => problem(503, 'unavailable', 'Later.'),
    () => json(passkeyRequest),
    () => json(passkeyRequest),
  ];
  const calls = serve({
    [to(routes.prices)]: () => json(prices),
    [to(routes.secondFactor)]: () => json(secondFactorOf({ passkeys: [passkeyOf] })),
    [holder(JONAS)]: jonas,
    [to(routes.askPasskey)]: () => asks.shift()!(),
    [to(routes.requestTransfer)]: accepted,
  });
  const { user } = renderApp(<TransferForm account={accountOf()} hasPin={hasPin} onDone={() => undefined} />);
  if (hasPin) await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  await waitFor(() => expect(screen.queryByLabelText('Transfer pin')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Use your pin' }) !== null).toBe(hasPin);
  await type(user, { 'Account number': JONAS });
  await waitFor(() => expect(field('Account name').value).toBe('Jonas Lindqvist'));
  await usdt(user);
  await type(user, { 'Amount, USD': '600' });
  await submit(user);
  expect(await screen.findByText('Later.')).toBeTruthy();
  await submit(user);
  expect(await screen.findByText('No passkey was used. Try again when you are ready.')).toBeTruthy();
  const asked = () => calls.filter(({ name }) => name === to(routes.requestTransfer));
  expect(asked()).toEqual([]);
  await submit(user);
  expect(await screen.findByText('Transfer submitted successfully!')).toBeTruthy();
  expect(asked().map(({ body }) => body)).toEqual([
    {
      transferType: 'local',
      accountNumber: JONAS,
      currency: 'USDT',
      amount: '600',
      narration: '',
      proof: { passkey: signedByPasskey },
    },
  ]);
});

test('a passkey stands for the code where there is no app, beside the password', async () => {
  passkeyBrowser();
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf({ hasApp: false, passkeys: [passkeyOf] })),
    [to(routes.askPasskey)]: () => json(passkeyRequest),
    [to(routes.setTransferPin)]: () => json({ message: 'Transfer pin updated successfully!' }),
  });
  const { user } = renderApp(<PinForm state="set" />);
  await screen.findByText('Your browser asks for your passkey when you send this.');
  await type(user, { 'New transfer pin': '4711', 'Your password': 'secret' });
  await user.click(screen.getByRole('button', { name: 'Set pin' }));
  expect(await screen.findByText('Transfer pin updated successfully!')).toBeTruthy();
  expect(calls.flatMap(({ body }) => body ?? [])).toEqual([
    { for: 'security' },
    { pin: '4711', password: 'secret', passkey: signedByPasskey },
  ]);
});
