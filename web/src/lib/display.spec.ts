import { afterEach, describe, expect, test } from '@jest/globals';
import { defaultDisplay } from '#contracts';
import {
  displayMoney,
  exactMoney,
  formatAge,
  formatAgo,
  formatDate,
  formatTime,
  keepDisplay,
  restoreDisplay,
  setDisplay,
  signedMoney,
} from '.';

const at = '2026-12-31T23:05:00.000Z';
afterEach(() => setDisplay(defaultDisplay));

test('without a choice an instant is written in UTC, whatever the browser is set to', () => {
  expect(formatTime(at)).toBe('2026-12-31 23:05');
  expect(formatTime('2026-12-31T00:00:00.000Z')).toBe('2026-12-31 00:00');
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).not.toBe('UTC');
});

test.each([
  ['standard', 'Africa/Lagos', '2027-01-01', '2027-01-01 00:05', '1,234,567.50'],
  ['standard', 'America/St_Johns', '2026-12-31', '2026-12-31 19:35', '1,234,567.50'],
  ['en-GB', 'UTC', '31 Dec 2026', '31 Dec 2026, 23:05', '1,234,567.50'],
  ['en-IN', 'Asia/Kolkata', '1 Jan 2027', '1 Jan 2027, 4:35 am', '12,34,567.50'],
  ['de-DE', 'Europe/Berlin', '01.01.2027', '01.01.2027, 00:05', '1.234.567,50'],
] as const)('in %s and %s', (language, timeZone, date, time, amount) => {
  setDisplay({ language, timeZone });
  expect(formatTime(at).replace(/\s/g, ' ')).toBe(time);
  expect(formatDate(at).replace(/\s/g, ' ')).toBe(date);
  expect(displayMoney('1234567.509', 'USD')).toBe(amount);
  expect(exactMoney('1234567.50', 'USD')).toBe(amount);
  expect(signedMoney('-1234567.50', 'USD')).toBe(`−${amount}`);
});

test('an amount beyond what a number holds keeps each of its digits', () => {
  setDisplay({ language: 'de-DE', timeZone: 'UTC' });
  expect(exactMoney('9007199254740993.01', 'USD')).toBe('9.007.199.254.740.993,01');
});

test('less than can be shown has no minus', () => {
  expect(displayMoney('-0.00000001', 'BTC')).toBe('0.0000');
  expect(displayMoney('-0.0001', 'BTC')).toBe('−0.0001');
});

test('a zone that the browser does not know is UTC', () => {
  setDisplay({ language: 'standard', timeZone: 'Atlantis/Capital' });
  expect(formatTime(at)).toBe('2026-12-31 23:05');
});

describe('this browser remembers', () => {
  test('what was kept', () => {
    keepDisplay({ language: 'de-DE', timeZone: 'Europe/Berlin' });
    setDisplay(defaultDisplay);
    restoreDisplay();
    expect(formatDate(at)).toBe('01.01.2027');
  });

  test.each(['{', '7', '{"language":"xx","timeZone":"UTC"}', '{"language":"de-DE","timeZone":7}'])(
    'nothing of %s',
    (kept) => {
      localStorage.setItem('lode-display', kept);
      restoreDisplay();
      expect(formatDate(at)).toBe('2026-12-31');
    },
  );
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
test.each([
  [MINUTE - 1, 'Just now', 'Just now'],
  [MINUTE, '1 min', '1 minute ago'],
  [3 * MINUTE, '3 min', '3 minutes ago'],
  [60 * MINUTE, '1 h', '1 hour ago'],
  [DAY, '1 day', '1 day ago'],
  [30 * DAY - 1, '29 days', '29 days ago'],
  [30 * DAY, '2026-12-31', '2026-12-31'],
])('after %i ms', (age, short, words) => {
  const now = Date.parse(at) + age;
  expect([formatAge(at, now), formatAgo(at, now)]).toEqual([short, words]);
});
