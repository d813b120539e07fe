import { describe, expect, test } from '@jest/globals';
import { errorCodes, invariant, InvariantViolation, isLodeError, LodeError } from '#kernel';

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

  test('an invariant stops what is not true and says what it was', () => {
    expect(() => invariant(true, 'fine')).not.toThrow();
    expect(() => invariant(false, 'two is three')).toThrow(new InvariantViolation('two is three'));
  });
});
