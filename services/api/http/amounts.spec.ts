import { describe, expect, test } from '@jest/globals';
import { normalAmount, withNormalAmounts } from './amounts.js';

describe('an amount', () => {
  test.each([
    ['10', '10.00'],
    ['10.0', '10.00'],
    ['10.00', '10.00'],
    ['010.000', '10.00'],
    ['10.', '10.00'],
    ['-10.5', '-10.50'],
    ['0', '0.00'],
    ['-0.0', '0.00'],
    ['00.10', '0.10'],
    ['0.001', '0.001'],
    ['100', '100.00'],
  ])('%s is written %s', (text, normal) => {
    expect(normalAmount(text)).toBe(normal);
    expect(normalAmount(normal)).toBe(normal);
  });

  test.each(['', 'ten', '1e3', '+1', '1,000', '.5', '1.2.3', ' 1', '--1'])(
    'that is none stays: “%s”',
    (text) => {
      expect(normalAmount(text)).toBe(text);
    },
  );
});

describe('the amounts of a body', () => {
  test('are written as all are, and nothing else is', () => {
    const body = { amount: '1.0', amounts: { BTC: '2', PI: '3.00' }, narration: '4.0', rate: '5.0' };
    expect(withNormalAmounts(body)).toEqual({
      ...body,
      amount: '1.00',
      amounts: { BTC: '2.00', PI: '3.00' },
    });
  });

  test.each([
    [{ amount: '1.00', amounts: { BTC: '2.00' } }],
    [{ amount: 1 }],
    [{ amounts: ['1'] }],
    ['1'],
    [null],
  ])('that are so already leave it the same: %j', (body) => {
    expect(withNormalAmounts(body)).toBe(body);
  });
});
