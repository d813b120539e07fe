import { describe, expect, test } from '@jest/globals';
import { isAbove, isAmount, plainAmount } from './money';

describe('a comma', () => {
  test.each([
    ['1,250', '1250'],
    ['1,250.50', '1250.50'],
    ['12,345,678.9', '12345678.9'],
    [' 1 250.50 ', '1250.50'],
    ['12.50', '12.50'],
  ])('parts thousands: %j is %s', (typed, plain) => {
    expect(plainAmount(typed)).toBe(plain);
    expect(isAmount(typed)).toBe(true);
  });

  test.each([
    '12,50',
    '12,5',
    '1250,50',
    '1.250,50',
    '0,500',
    '1,2500',
    '1,25,000',
    '1250,000',
    ',500',
    '1,250,',
    '1,,250',
    '10.5,000',
  ])('elsewhere makes %j no amount, whatever it is above without it', (typed) => {
    expect(isAmount(typed)).toBe(false);
    expect(isAbove(typed, '0.01')).toBe(false);
  });
});
