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

  test('is none among none', () => {
    expect(nearestName('limit', [])).toBeUndefined();
  });
});
