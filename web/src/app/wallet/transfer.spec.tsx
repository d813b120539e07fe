import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { routes } from '../../api';
import {
  accountOf,
  json,
  passkeyBrowser,
  passkeyOf,
  renderApp,
  secondFactorOf,
  serve,
  to,
} from '../../testing';
import Transfer from './transfer';

/** Somebody who has a passkey and no pin. */
const withoutPin = (rpId = 'localhost') =>
  serve({
    [to(routes.account, { userId: 'amara' })]: () => json(accountOf()),
    [to(routes.transferPin)]: () => json({ state: 'missing' }),
    [to(routes.secondFactor)]: () => json(secondFactorOf({ passkeys: [passkeyOf], rpId })),
    [to(routes.prices)]: () =>
      json({ prices: { BTC: '62410.00000000', PI: '1.00000000', USDT: '1.00000000' } }),
  });

test('whoever has a passkey that can be used here needs no pin', async () => {
  passkeyBrowser();
  withoutPin();
  renderApp(<Transfer />);
  expect(await screen.findByRole('button', { name: 'Submit transfer' })).toBeTruthy();
  expect(screen.queryByRole('form', { name: /pin/i })).toBeNull();
});

test.each([
  ['this browser', () => withoutPin()],
  ['this address', () => (passkeyBrowser(), withoutPin('lode.example'))],
])('whoever has one that %s can’t use is asked for a pin first', async (_, prepare) => {
  prepare();
  renderApp(<Transfer />);
  expect(await screen.findByRole('form', { name: /pin/i })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Submit transfer' })).toBeNull();
});
