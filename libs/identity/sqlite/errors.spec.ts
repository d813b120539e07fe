import { describe, expect, test } from '@jest/globals';
import { isDiskFailure, identityError } from './errors.js';

const sqlite = (errcode: number) => Object.assign(new Error('low level words'), { errcode });
const IOERR_FSYNC = 1_034;

describe('failures of the file', () => {
  test.each([
    [13, 'storage_full', 'The disk is full: nothing was changed.'],
    [5, 'unavailable', 'Another program holds the identity file. Try again.'],
    [517, 'unavailable', 'Another program holds the identity file. Try again.'],
    [8, 'storage_failed', 'The identity file FILE may not be written.'],
    [11, 'storage_failed', 'The identity file FILE is damaged.'],
    [26, 'storage_failed', 'The identity file FILE is damaged or is not a database.'],
    [IOERR_FSYNC, 'storage_failed', "The identity file FILE can't be read or written: the disk failed."],
  ])('result code %d is %s, in one sentence', (errcode, code, message) => {
    const error = sqlite(errcode);
    expect(identityError('FILE', error)).toMatchObject({ code, message, cause: error });
  });

  test('a bug stays what it is', () => {
    const constraint = sqlite(19);
    const bug = new TypeError('x');
    expect(identityError('FILE', constraint)).toBe(constraint);
    expect(identityError('FILE', bug)).toBe(bug);
    expect(identityError('FILE', 'text')).toBe('text');
  });

  test('only a failure of the disk itself ends all writing', () => {
    expect(isDiskFailure(sqlite(IOERR_FSYNC))).toBe(true);
    for (const code of [5, 11, 13]) expect(isDiskFailure(sqlite(code))).toBe(false);
    expect(isDiskFailure(new Error('x'))).toBe(false);
  });
});
