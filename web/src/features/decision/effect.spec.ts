import { expect, test } from '@jest/globals';
import { accountOf, requestOf, withdrawalOf } from '../../testing';
import { effectOf } from './effect';

const prices = { BTC: '50000.00000000', PI: '0.50000000', USDT: '2.00000000' };
const account = accountOf();

test('a deposit is booked at the price in force', () => {
  const { price, lines } = effectOf(requestOf({ amount: '100.00', currency: 'BTC' }), account, prices);
  expect(price).toBe(prices.BTC);
  expect(lines.map(({ name, unit }) => [name, unit])).toEqual([
    ['wallet', 'USD'],
    ['currency', 'BTC'],
  ]);
});

test('what was set aside leaves at the price at which it was, whatever is in force', () => {
  const hold = { converted: '80.000000', price: '1.25000000', rate: '0.925' };
  const request = withdrawalOf({ amount: '100.00', currency: 'USDT', hold });
  const { wallet, balances } = accountOf({
    wallet: { available: '400.00', balance: '500.00', held: '100.00' },
    balances: {
      ...account.balances,
      USDT: { available: '20.000000', balance: '100.000000', held: '80.000000' },
    },
  });
  expect(effectOf(request, { ...account, wallet, balances }, prices)).toEqual({
    price: '1.25000000',
    lines: [
      { name: 'wallet', unit: 'USD', before: '500.00', after: '400.00' },
      { name: 'held', unit: 'USD', before: '100.00', after: '0.00' },
      { name: 'currency', unit: 'USDT', before: '100.000000', after: '20.000000' },
    ],
  });
});
