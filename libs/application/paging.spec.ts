import { expect, test } from '@jest/globals';
import { wholeInstants } from './paging.js';

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.123Z', '2026-01-31T12:00:00.123Z'],
  ['2026-01-31T12:00:00.1230Z', '2026-01-31T12:00:00.123Z'],
  ['2026-01-31T12:00:00.1231Z', '2026-01-31T12:00:00.124Z'],
  ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
])('the instant %s begins with the whole millisecond %s', (instant, whole) => {
  expect(wholeInstants({ from: instant, to: instant })).toEqual({ from: whole, to: whole });
});
