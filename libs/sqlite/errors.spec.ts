import { describe, expect, test } from '@jest/globals';
import { LodeError } from '#kernel';
import { commit, failureOf, isDamage, orUnavailable, storageError } from '#sqlite';

const sqlite = (errcode: number) => Object.assign(new Error('low level words'), { errcode });

const sentences = {
  busy: 'It is locked.',
  readOnly: 'It may not be written.',
  diskFailed: 'The disk failed.',
  damaged: 'It is damaged.',
  full: 'The disk is full.',
  unopened: 'It can not be opened.',
  notADatabase: 'It is no database.',
};

describe('failures of SQLite', () => {
  test.each([
    [5, 'unavailable', sentences.busy],
    [6, 'unavailable', sentences.busy],
    [517, 'unavailable', sentences.busy],
    [8, 'storage_failed', sentences.readOnly],
    [1_034, 'storage_failed', sentences.diskFailed],
    [11, 'storage_failed', sentences.damaged],
    [13, 'storage_full', sentences.full],
    [14, 'storage_failed', sentences.unopened],
    [26, 'storage_failed', sentences.notADatabase],
  ])('%d is %s, in the words of whoever asked', (errcode, code, message) => {
    const error = sqlite(errcode);
    expect(storageError(error, sentences)).toMatchObject({ name: 'LodeError', code, message, cause: error });
  });

  test.each([
    [1_034, 'unknown_outcome'],
    [778, 'unknown_outcome'],
    [13, 'storage_full'],
    [5, 'unavailable'],
  ])('of a commit, %d is %s: what the disk had may be in the file', (errcode, code) => {
    const error = sqlite(errcode);
    expect(() =>
      commit(() => {
        throw error;
      }),
    ).toThrow(error);
    expect(storageError(error, sentences)).toMatchObject({ code, cause: error });
  });

  test('without a sentence they stay as they are, unless there is one for all others', () => {
    const [mistake, constraint, unknown] = [sqlite(1), sqlite(19), sqlite(99)];
    for (const error of [mistake, constraint, unknown]) {
      expect(storageError(error, sentences)).toBe(error);
      expect(storageError(error, { ...sentences, other: 'It failed.' })).toMatchObject({
        code: 'storage_failed',
        message: 'It failed.',
      });
    }
    expect([mistake, constraint, unknown].map(failureOf)).toEqual(['statement', 'constraint', 'other']);
  });

  test('are told from bugs', () => {
    for (const bug of [new TypeError('x'), 'text', undefined, { errcode: 11 }]) {
      expect(failureOf(bug)).toBeUndefined();
      expect(storageError(bug, { other: 'It failed.' })).toBe(bug);
    }
  });

  test('are damage when the file is damaged or is no database', () => {
    expect([11, 26, 267].map((code) => isDamage(sqlite(code)))).toEqual([true, true, true]);
    expect([5, 10, 13].map((code) => isDamage(sqlite(code)))).toEqual([false, false, false]);
  });

  test('can all be one that passes, but for what was refused', () => {
    const guarded = orUnavailable('It can not be read.');
    const failure = sqlite(11);
    const refusal = new LodeError('conflict', 'Another one writes.');
    const fail = (error: Error) => () => {
      throw error;
    };
    expect(guarded(() => 7)).toBe(7);
    expect(() => guarded(fail(failure))).toThrow(
      expect.objectContaining({ code: 'unavailable', message: 'It can not be read.', cause: failure }),
    );
    expect(() => guarded(fail(refusal))).toThrow(refusal);
  });
});
