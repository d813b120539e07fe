import { describe, expect, test } from '@jest/globals';
import { LodeError, type ErrorCode } from '#kernel';
import { createOpenOutcomes, unknownOutcome } from './outcomes.js';

const unknown = { code: 'unknown_outcome' };
const failure = (code: ErrorCode) => new LodeError(code, 'injected');

describe('commands of which nobody knows whether they were done', () => {
  test.each<ErrorCode>([
    'unavailable',
    'overloaded',
    'conflict',
    'storage_full',
    'storage_failed',
    'unknown_outcome',
    'internal',
  ])('are not told %s, which would say that they were not', (code) => {
    const outcomes = createOpenOutcomes();
    outcomes.open(['a']);
    const [first, second] = [outcomes.told('a', failure(code)), outcomes.told('a', failure(code))];
    expect([first, second]).toEqual([expect.objectContaining(unknown), expect.objectContaining(unknown)]);
    const error = failure(code);
    expect(outcomes.told('another', error)).toBe(error);
  });

  test('are told so of a bug as well', () => {
    const outcomes = createOpenOutcomes();
    outcomes.open(['a']);
    expect(outcomes.told('a', new TypeError('a bug'))).toMatchObject(unknown);
  });

  test.each<ErrorCode>(['insufficient_balance', 'idempotency_key_reused', 'group_refused'])(
    'are told %s, and then it is known',
    (code) => {
      const outcomes = createOpenOutcomes();
      outcomes.open(['a']);
      const refusal = failure(code);
      expect(outcomes.told('a', refusal)).toBe(refusal);
      expect(outcomes.isOpen('a')).toBe(false);
    },
  );

  test('are remembered until they are settled, and so many of them', () => {
    const outcomes = createOpenOutcomes({ max: 2 });
    outcomes.open(['a', 'b']);
    outcomes.settle('a');
    outcomes.open(['c', 'd']);
    expect(['a', 'b', 'c', 'd'].filter(outcomes.isOpen)).toEqual(['c', 'd']);
  });

  test('have an error that says why, and keeps it', () => {
    const cause = failure('unavailable');
    expect(unknownOutcome(cause)).toMatchObject({ ...unknown, cause });
    const known = failure('unknown_outcome');
    expect(unknownOutcome(known)).toBe(known);
  });
});
