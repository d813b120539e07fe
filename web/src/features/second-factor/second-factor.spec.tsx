import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { routes } from '../../api';
import {
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
import { SecondFactor } from '.';

const CODES = ['aaaa-bbbb-cccc-dddd', 'eeee-ffff-gggg-hhhh'];
const press = (name: string) => screen.getByRole('button', { name });

test('is set up with the password and a first code, shows its recovery codes once, and is taken off', async () => {
  let isOn = false;
  const begins = [
    () => problem(401, 'invalid_credentials', 'The password is wrong.'),
    () => json({ secret: 'ABCDEFGH', uri: 'otpauth://totp/Lode:a?secret=ABCDEFGH', message: 'Confirm it' }),
  ];
  const confirms = [
    () => problem(403, 'second_factor_wrong', 'This code is wrong.'),
    () => {
      isOn = true;
      return json({ recoveryCodes: CODES, message: 'Second factor is on' });
    },
  ];
  const calls = serve({
    [to(routes.secondFactor)]: () => json(isOn ? secondFactorOf({ recoveryCodesLeft: 2 }) : noSecondFactor),
    [to(routes.beginSecondFactor)]: () => begins.shift()!(),
    [to(routes.confirmSecondFactor)]: () => confirms.shift()!(),
    [to(routes.removeSecondFactor)]: () => {
      isOn = false;
      return json({ message: 'Second factor is off' });
    },
  });
  const { user } = renderApp(<SecondFactor />);
  await user.type(await screen.findByLabelText('Your password'), 'horse');
  await user.click(press('Set up'));
  expect(await screen.findByText('The password is wrong.')).toBeTruthy();
  await user.click(press('Set up'));
  expect(await screen.findByText('ABCD EFGH')).toBeTruthy();
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy();
  await user.type(screen.getByLabelText('Code that the app shows'), '123456');
  await user.click(press('Switch on'));
  expect(await screen.findByText('This code is wrong.')).toBeTruthy();
  await user.click(press('Switch on'));
  for (const code of CODES) expect(await screen.findByText(code)).toBeTruthy();
  await user.click(press('I have kept them'));
  expect(screen.queryByText('aaaa-bbbb-cccc-dddd')).toBeNull();
  await user.type(await screen.findByLabelText('Your password'), 'horse');
  await user.type(screen.getByLabelText('Code, or a recovery code'), 'aaaa-bbbb-cccc-dddd');
  await user.click(press('Switch off'));
  expect(await screen.findByText('Second factor is off')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Set up' })).toBeTruthy();
  expect(calls.map(({ body }) => body).filter(Boolean)).toEqual([
    ...Array<unknown>(2).fill({ password: 'horse' }),
    ...Array<unknown>(2).fill({ code: '123456' }),
    { password: 'horse', code: 'aaaa-bbbb-cccc-dddd' },
  ]);
});

test('where passkeys belong to another host, whoever has none but them is told so before anything is sent', async () => {
  passkeyBrowser();
  const elsewhere = secondFactorOf({ hasApp: false, passkeys: [passkeyOf], rpId: 'lode.example' });
  serve({ [to(routes.secondFactor)]: () => json(elsewhere) });
  renderApp(<SecondFactor />);
  expect(await screen.findByText(/Passkeys belong to lode\.example/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});

test.each([
  ['user', false, /for the password alone, and no money leaves your account for the waiting time\./],
  ['user', true, /for your passkey, and no money leaves your account for the waiting time\./],
  ['admin', false, /Once the app is off, signing in asks for the password alone\./],
  ['admin', true, /Once the app is off, signing in asks for your passkey\./],
] as const)('says what follows once the app of a %s is off (passkeys: %s)', async (role, has, words) => {
  serve({ [to(routes.secondFactor)]: () => json(secondFactorOf({ passkeys: has ? [passkeyOf] : [] })) });
  renderApp(<SecondFactor />, { role });
  expect(await screen.findByText(words)).toBeTruthy();
});

test('whoever has passkeys alone sets an app up by one, and draws new recovery codes', async () => {
  passkeyBrowser('canceled');
  const calls = serve({
    [to(routes.secondFactor)]: () => json(secondFactorOf({ hasApp: false, passkeys: [passkeyOf] })),
    [to(routes.askPasskey)]: () => json(passkeyRequest),
    [to(routes.beginSecondFactor)]: () =>
      json({ secret: 'ABCDEFGH', uri: 'otpauth://totp/Lode:a?secret=ABCDEFGH', message: 'Confirm it' }),
    [to(routes.renewRecoveryCodes)]: () => json({ recoveryCodes: CODES, message: 'New recovery codes' }),
  });
  const { user } = renderApp(<SecondFactor />);
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  expect(await screen.findByText('No passkey was used. Try again when you are ready.')).toBeTruthy();
  await user.click(press('Set up'));
  expect(await screen.findByText('ABCD EFGH')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Switch off' })).toBeNull();
  await user.click(press('Use a passkey'));
  await user.click(press('New recovery codes'));
  for (const code of CODES) expect(await screen.findByText(code)).toBeTruthy();
  expect(calls.map(({ body }) => body).filter(Boolean)).toEqual([
    ...Array<unknown>(2).fill({ for: 'security' }),
    { passkey: signedByPasskey },
    { for: 'second factor' },
    { passkey: signedByPasskey },
  ]);
});
