import { expect, test } from '@jest/globals';
import { base32, codeAt, STEP_MS, stepOf } from './totp.js';

const SECRET = Buffer.from('12345678901234567890');

// RFC 6238, appendix B (SHA-1), the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of second %i is that of RFC 6238', (second, code) => {
  expect(codeAt(SECRET, Math.floor((second * 1_000) / STEP_MS))).toBe(code);
});

test('a code is taken one step early and one late, and not of a step that was used or is before one', () => {
  const now = 1_234_567_890_000;
  const present = Math.floor(now / STEP_MS);
  const taken = [-2, -1, 0, 1, 2].map((around) => stepOf(SECRET, codeAt(SECRET, present + around), now, 0));
  expect(taken).toEqual([undefined, present - 1, present, present + 1, undefined]);
  expect(stepOf(SECRET, codeAt(SECRET, present), now, present)).toBeUndefined();
  expect(stepOf(SECRET, codeAt(SECRET, present - 1), now, present)).toBeUndefined();
  expect(stepOf(SECRET, '', now, 0)).toBeUndefined();
  expect(stepOf(SECRET, '１２３４５６', now, 0)).toBeUndefined();
});

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j in base 32 is that of RFC 4648', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});
