import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparePositions, logStart, parsePosition, positionOf, sortablePosition } from '#kernel';

const number = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.integer({ min: 0, max: 19 }).map((digits) => 10n ** BigInt(digits)),
  fc.integer({ min: 1, max: 19 }).map((digits) => 10n ** BigInt(digits) - 1n),
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
);

describe('positions', () => {
  test('are ordered as the numbers they count', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(Math.sign(comparePositions(positionOf(a), positionOf(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test('sort as text of one length', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [one, other] = [sortablePosition(positionOf(a)), sortablePosition(positionOf(b))];
        expect(one < other ? -1 : one > other ? 1 : 0).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(one.length).toBe(other.length);
      }),
    );
  });

  test('are read back from their own text', () => {
    fc.assert(
      fc.property(number, (a) => {
        expect(parsePosition(positionOf(a))).toBe(String(a));
      }),
    );
  });

  test('begin before the first event', () => {
    expect(parsePosition('0')).toBe(logStart);
    expect(comparePositions(logStart, positionOf(1))).toBeLessThan(0);
  });

  test.each(['', '-1', '+1', '01', '00', '1.0', '1e3', ' 1', '1\n', '0x10', '１', '123456789012345678901'])(
    'refuse the text %j',
    (text) => {
      expect(parsePosition(text)).toBeUndefined();
    },
  );
});
