import { describe, expect, test } from '@jest/globals';
import { matchesTag, preferredCoding, preferredType } from './negotiate.js';

describe('the type that is wanted most', () => {
  const offers = ['application/json', 'text/csv'] as const;
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0.1, application/json', 'application/json'],
    ['text/csv, application/json', 'text/csv'],
    ['text/csv;q=0.9;level=1, */*;q=0.1', 'text/csv'],
    ['*/*, text/csv', 'text/csv'],
    ['application/json;q=0, */*', 'text/csv'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
    ['text/html', undefined],
    ['*/*;q=0', undefined],
    ['text/csv;q=2', undefined],
    [',;q=1, text/csv', 'text/csv'],
  ])('%j: %s', (accept, type) => expect(preferredType(accept, offers)).toBe(type));
});

describe('the coding that is wanted most', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=0.8, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
  ])('%j: %s', (header, coding) => expect(preferredCoding(header, ['br', 'gzip'])).toBe(coding));
});

test.each([
  [undefined, false],
  ['*', true],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b"', false],
])('If-None-Match %j matches: %s', (header, matches) => {
  expect(matchesTag(header, 'W/"a"')).toBe(matches);
  expect(matchesTag(header, '"a"')).toBe(matches);
});
