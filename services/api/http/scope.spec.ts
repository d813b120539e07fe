import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionOf } from '#kernel';
import { createLogScope } from './scope.js';

const [ours, others] = ['3f9a0c1d', '00000000'].map((begin) =>
  createLogScope(`${begin}-0000-4000-8000-000000000000`),
) as [ReturnType<typeof createLogScope>, ReturnType<typeof createLogScope>];

describe('the scope of a log', () => {
  test('comes back from positions, and tells those of another log', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (number) => {
        const position = positionOf(number);
        expect(ours.readPosition(ours.position(position))).toBe(position);
        expect(ours.readPosition(position)).toBe(position);
        expect(ours.readPosition(others.position(position))).toBe('of another log');
      }),
    );
    expect(ours.position(positionOf(123))).toBe('123.3f9a0c1d');
  });

  test.each(['', 'x', '01', '-1', '1.', '1.0', '1.x', '1.3f9a0c1d.3f9a0c1d', '.3f9a0c1d', '1 .3f9a0c1d'])(
    'is of no position that is none: %j',
    (text) => expect(ours.readPosition(text)).toBeUndefined(),
  );

  test('comes back from cursors, and tells those of another log', () => {
    const cursors = fc.json().map((json) => Buffer.from(json).toString('base64url'));
    fc.assert(
      fc.property(cursors, (cursor) => {
        expect(ours.readCursor(ours.cursor(cursor))).toBe(cursor);
        expect(ours.readCursor(others.cursor(cursor))).toBeUndefined();
      }),
    );
    expect(ours.cursor('eyJ3YXk')).toBe('eyJ3YXk-3f9a0c1d');
    expect(ours.readCursor('eyJ3YXk')).toBe('eyJ3YXk');
  });
});
