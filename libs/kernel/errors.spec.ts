import { describe, expect, test } from '@jest/globals';
import {
  callerText,
  deserializeError,
  errorCodes,
  invariant,
  InvariantViolation,
  isLodeError,
  LodeError,
  plainFailure,
  serializeError,
} from '#kernel';

describe('errors', () => {
  test('codes are unique and look like codes', () => {
    expect(new Set(errorCodes).size).toBe(errorCodes.length);
    expect(errorCodes.filter((code) => !/^[a-z]+(?:_[a-z]+)*$/.test(code))).toEqual([]);
  });

  test.each(errorCodes.map((code) => [code]))('%s is recognised', (code) => {
    const cause = new Error('why');
    const error = new LodeError(code, 'words', { actual: 3 }, { cause });
    expect(isLodeError(error)).toBe(true);
    expect(error).toMatchObject({ name: 'LodeError', code, message: 'words', details: { actual: 3 }, cause });
  });

  test('one from another copy of the module is recognised by its name and code', () => {
    const copy = Object.assign(new Error('words'), { name: 'LodeError', code: 'conflict' });
    expect(isLodeError(copy)).toBe(true);
  });

  test.each([
    ['another error', new Error('x')],
    ['an error of the system, which has a code too', Object.assign(new Error('x'), { code: 'conflict' })],
    ['a code that is not in the list', Object.assign(new Error('x'), { name: 'LodeError', code: 'made_up' })],
    ['a failed invariant', new InvariantViolation('x')],
    ['something that is no error', { name: 'LodeError', code: 'conflict', message: 'x' }],
    ['nothing', undefined],
  ])('%s is not', (_, thrown) => {
    expect(isLodeError(thrown)).toBe(false);
  });

  test('a caller is told a refusal as it is, and an engine’s failure in words that are for callers', () => {
    expect(callerText(new LodeError('pin_wrong', 'The pin is wrong.'))).toBe('The pin is wrong.');
    for (const code of [
      'unavailable',
      'storage_full',
      'storage_failed',
      'unknown_outcome',
      'internal',
    ] as const) {
      expect(callerText(new LodeError(code, 'one:2113'))).not.toContain('one:2113');
      expect(callerText(new LodeError(code, 'one:2113', {}, { told: 'It is away.' }))).toBe('It is away.');
    }
    expect(callerText(plainFailure('unavailable', 'It is busy.'))).toBe('It is busy.');
  });

  test('what a caller is told crosses a thread with the error', () => {
    const crossed = (error: LodeError) => deserializeError(structuredClone(serializeError(error)));
    const error = crossed(new LodeError('unavailable', 'one:2113', {}, { told: 'It is away.' }));
    expect(error).toMatchObject({ code: 'unavailable', message: 'one:2113', told: 'It is away.' });
    expect(serializeError(crossed(new LodeError('conflict', 'words')))).toEqual({
      code: 'conflict',
      message: 'words',
    });
  });

  test('an invariant stops what is not true and says what it was', () => {
    expect(() => invariant(true, 'fine')).not.toThrow();
    expect(() => invariant(false, 'two is three')).toThrow(new InvariantViolation('two is three'));
  });
});
