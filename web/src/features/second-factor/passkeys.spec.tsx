import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { SecondFactorState } from '#contracts';
import { routes } from '../../api';
import {
  json,
  madePasskey,
  noSecondFactor,
  passkeyBrowser,
  passkeyCreation,
  passkeyOf,
  passkeyRequest,
  problem,
  renderApp,
  secondFactorOf,
  serve,
  signedByPasskey,
  to,
} from '../../testing';
import { Passkeys } from '.';

const CODES = ['aaaa-bbbb-cccc-dddd', 'eeee-ffff-gggg-hhhh'];
const press = (name: string) => screen.getByRole('button', { name });
const alone = secondFactorOf({ hasApp: false, passkeys: [passkeyOf] });
const of = { passkeyId: passkeyOf.passkeyId };
const form = (name: string) => screen.findByRole('form', { name });
const sentTo = (calls: ReturnType<typeof serve>, ...names: readonly string[]) =>
  calls.filter(({ name }) => names.includes(name)).map(({ body }) => body);

test('a first passkey is made after the password and a name, however often its prompt is closed, and shows recovery codes once', async () => {
  const browser = passkeyBrowser('canceled', 'known');
  let state = noSecondFactor;
  const adds = [
    () => problem(422, 'passkey_refused', 'This passkey could not be checked.'),
    () => {
      state = alone;
      return json({ recoveryCodes: CODES, message: 'Passkey added' });
    },
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(state),
    [to(routes.beginPasskey)]: () => json(passkeyCreation),
    [to(routes.addPasskey)]: () => adds.shift()!(),
  });
  const { user } = renderApp(<Passkeys />);
  const asked = await form('Add a passkey');
  await user.click(press('Add a passkey'));
  expect(await screen.findByText('Please enter your password.')).toBeTruthy();
  await user.type(asked.querySelector('input')!, 'horse');
  await user.click(press('Add a passkey'));
  await user.click(await screen.findByRole('button', { name: 'Make the passkey' }));
  expect(await screen.findByText('Please give it a name.')).toBeTruthy();
  expect(browser.create).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText('Name of the passkey'), 'Telephone');
  for (const words of [
    'No passkey was made. Try again when you are ready.',
    'This device has a passkey for your account already.',
    'This passkey could not be checked.',
  ]) {
    await user.click(press('Make the passkey'));
    expect(await screen.findByText(words)).toBeTruthy();
  }
  await user.click(press('Make the passkey'));
  for (const code of CODES) expect(await screen.findByText(code)).toBeTruthy();
  await user.click(press('I have kept them'));
  expect(await screen.findByText(/not used yet/)).toBeTruthy();
  expect(screen.getByText('Telephone')).toBeTruthy();
  const { publicKey } = browser.create.mock.lastCall![0];
  expect(new TextDecoder().decode(publicKey?.challenge)).toBe('make this');
  expect(sentTo(calls, to(routes.beginPasskey), to(routes.addPasskey))).toEqual([
    { password: 'horse' },
    ...Array<unknown>(2).fill({ name: 'Telephone', passkey: madePasskey }),
  ]);
});

test('whoever has a passkey and no app adds another one by it, and asks anew once its time is over', async () => {
  const { get } = passkeyBrowser('canceled');
  const calls = serve({
    [to(routes.secondFactor)]: () => json(alone),
    [to(routes.askPasskey)]: () => json(passkeyRequest),
    [to(routes.beginPasskey)]: () => json(passkeyCreation),
    [to(routes.addPasskey)]: () => problem(403, 'challenge_invalid', 'Please begin again.'),
  });
  const { user } = renderApp(<Passkeys />);
  const asked = await form('Add a passkey');
  expect(asked.querySelector('input')).toBeNull();
  await user.click(press('Add a passkey'));
  expect(await screen.findByText('No passkey was used. Try again when you are ready.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(press('Add a passkey'));
  await user.type(await screen.findByLabelText('Name of the passkey'), 'Key');
  await user.click(press('Make the passkey'));
  expect(await screen.findByText('Please begin again.')).toBeTruthy();
  expect(await form('Add a passkey')).toBeTruthy();
  expect(get).toHaveBeenCalledTimes(2);
  expect(sentTo(calls, to(routes.askPasskey))).toEqual(Array(2).fill({ for: 'security' }));
  expect(sentTo(calls, to(routes.beginPasskey))).toEqual([{ passkey: signedByPasskey }]);
});

test('one is removed by password and recovery code, or by a passkey', async () => {
  passkeyBrowser();
  let state: SecondFactorState = {
    ...alone,
    passkeys: [passkeyOf, { ...passkeyOf, passkeyId: 'b'.repeat(32), name: 'Key' }],
  };
  const calls = serve({
    [to(routes.secondFactor)]: () => json(state),
    [to(routes.askPasskey)]: () => json(passkeyRequest),
    [to(routes.removePasskey, of)]: () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
    [to(routes.removePasskey, { passkeyId: 'b'.repeat(32) })]: () => {
      state = alone;
      return json({ message: 'Passkey removed' });
    },
  });
  const { user } = renderApp(<Passkeys />);
  await user.click(await screen.findByRole('button', { name: 'Remove Telephone' }));
  const removal = await form('Remove a passkey');
  const [password, code] = removal.querySelectorAll('input');
  await user.type(password!, 'horse');
  await user.type(code!, CODES[0]!);
  await user.click(press('Remove'));
  expect(await screen.findByText('This code is wrong.')).toBeTruthy();
  await user.click(press('Keep it'));
  await user.click(press('Remove Key'));
  const other = await form('Remove a passkey');
  await user.click([...other.querySelectorAll('button')].find((one) => one.textContent === 'Use a passkey')!);
  expect(other.querySelector('input')).toBeNull();
  await user.click(press('Remove'));
  expect(await screen.findByText('Passkey removed')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Key')).toBeNull());
  expect(sentTo(calls, to(routes.askPasskey))).toEqual([{ for: 'second factor' }]);
  expect(calls.filter(({ path }) => path.endsWith('/removal')).map(({ body }) => body)).toEqual([
    { password: 'horse', code: CODES[0] },
    { passkey: signedByPasskey },
  ]);
});

test.each([
  ['user', /no longer then, and no money leaves your account for the waiting time\. Delete it/],
  ['admin', /no longer then\. Delete it/],
] as const)('says what follows once one of a %s is removed', async (role, words) => {
  passkeyBrowser();
  serve({ [to(routes.secondFactor)]: () => json(alone) });
  const { user } = renderApp(<Passkeys />, { role });
  await user.click(await screen.findByRole('button', { name: 'Remove Telephone' }));
  expect(screen.getByText(words)).toBeTruthy();
});

test('what can’t be loaded is asked for again', async () => {
  passkeyBrowser();
  const answers = [() => problem(503, 'unavailable', 'Later.'), () => json(alone)];
  serve({ [to(routes.secondFactor)]: () => answers.shift()!() });
  const { user } = renderApp(<Passkeys />);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Telephone')).toBeTruthy();
});

test.each([
  ['number', /an address that is a number/],
  ['insecure', /secure addresses alone/],
] as const)('where the service has none (%s) the page says why', async (passkeysRefused, words) => {
  passkeyBrowser();
  serve({ [to(routes.secondFactor)]: () => json({ ...noSecondFactor, passkeysRefused }) });
  renderApp(<Passkeys />);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a browser without them says so', async () => {
  serve({ [to(routes.secondFactor)]: () => json(noSecondFactor) });
  Object.defineProperty(globalThis, 'isSecureContext', { value: true, configurable: true });
  renderApp(<Passkeys />);
  expect(await screen.findByText(/This browser has no passkeys/)).toBeTruthy();
});

test('at another host than passkeys belong to the page says so at once, and asks for no proof', async () => {
  passkeyBrowser();
  serve({ [to(routes.secondFactor)]: () => json({ ...alone, rpId: 'lode.example' }) });
  renderApp(<Passkeys />);
  expect(await screen.findByText(/Passkeys belong to lode\.example/)).toBeTruthy();
  expect(screen.getByText('Telephone')).toBeTruthy();
  expect(screen.queryByRole('form')).toBeNull();
});
