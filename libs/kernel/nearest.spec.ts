import { describe, expect, test } from '@jest/globals';
import { nearestName } from './nearest.js';

const names = ['limit', 'currency', 'cursor', 'order', 'format'];

describe('the nearest name', () => {
  test.each([
    ['limt', 'limit'],
    ['curency', 'currency'],
    ['Currency', 'currency'],
    ['curser', 'cursor'],
    ['roder', 'order'],
    ['formats', 'format'],
  ])('of %s is %s', (name, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });

  test.each([['bogus'], [''], ['x'], ['__proto__'], ['limit'.repeat(20)]])('of “%s” is none', (name) => {
    expect(nearestName(name, names)).toBeUndefined();
  });

  test('is none with more slips than are allowed', () => {
    expect(nearestName('MONGODB_URI', ['MONGODB_URL'], 1)).toBe('MONGODB_URL');
    expect(nearestName('HTTP_URL', ['SMTP_URL'], 1)).toBeUndefined();
    expect(nearestName('HTTP_URL', ['SMTP_URL'])).toBe('SMTP_URL');
  });

  test('is none among none', () => {
    expect(nearestName('limit', [])).toBeUndefined();
  });
});
