import { describe, expect, test } from '@jest/globals';
import { LodeError } from '#kernel';
import { guarded } from './errors.js';

const system = (code: string) => Object.assign(new Error(`${code}: write`), { code, syscall: 'write' });
const failing = (error: unknown) => () => Promise.reject(error);

describe('failures of the disk', () => {
  test.each([
    ['ENOSPC', 'storage_full'],
    ['EDQUOT', 'storage_full'],
    ['EIO', 'storage_failed'],
    ['EACCES', 'storage_failed'],
  ])('%s is %s', async (code, expected) => {
    const error = system(code);
    await expect(guarded(failing(error))).rejects.toMatchObject({ code: expected, cause: error });
  });

  test.each([
    ['a refusal', new LodeError('file_type', 'no')],
    ['a bug', new TypeError('x')],
  ])('%s stays what it is', async (_, error) => {
    await expect(guarded(failing(error))).rejects.toBe(error);
  });

  test('an error that is not the disk’s stays what it is', async () => {
    const error = system('ENOSPC');
    await expect(guarded(failing(error), (one) => one === error)).rejects.toBe(error);
  });
});
