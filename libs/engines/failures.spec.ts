import { describe, expect, test } from '@jest/globals';
import { explainFailure, withDatabase } from './failures.js';

const ofSystem = (code: string, path?: string) =>
  Object.assign(new Error('low level words'), {
    code,
    syscall: 'open',
    ...(path === undefined ? {} : { path }),
  });
const ofSqlite = (errcode: number) => Object.assign(new Error('low level words'), { errcode });

describe('what was refused', () => {
  test.each([
    ['ENOENT', 'file_not_found', 'There is no /x.'],
    ['ENOTDIR', 'storage_failed', '/x is no folder, or one above it is none: a file stands there.'],
    ['EEXIST', 'storage_failed', '/x is no folder, or one above it is none: a file stands there.'],
    ['EISDIR', 'storage_failed', '/x is a folder where a file was looked for.'],
    ['ENAMETOOLONG', 'storage_failed', '/x is longer than a path can be.'],
    [
      'EACCES',
      'storage_failed',
      '/x may not be read or written: look at the rights of it and of the folders above it.',
    ],
    ['EROFS', 'storage_failed', '/x is on a disk that takes no changes.'],
    ['ENOSPC', 'storage_full', 'The disk is full: make room, and try again.'],
    ['EDQUOT', 'storage_full', 'The disk is full: make room, and try again.'],
    [
      'EMFILE',
      'storage_failed',
      "/x can't be opened: too many files are open. Raise the limit (ulimit -n, or LimitNOFILE of the service).",
    ],
    ['EIO', 'storage_failed', "/x can't be read or written: the disk failed."],
  ])('by the operating system with %s is %s, in one sentence', (name, code, message) => {
    const error = ofSystem(name, '/x');
    expect(explainFailure(error)).toMatchObject({ name: 'LodeError', code, message, cause: error });
  });

  test.each([
    [5, 'unavailable', '/x is locked by another program.'],
    [
      8,
      'storage_failed',
      '/x may not be read or written: look at the rights of it and of the folders above it.',
    ],
    [1_034, 'storage_failed', "/x can't be read or written: the disk failed."],
    [11, 'storage_failed', '/x is damaged: restore it from a backup.'],
    [13, 'storage_full', 'The disk is full: make room, and try again.'],
    [14, 'storage_failed', "/x can't be opened: look at its rights, and whether it is a file."],
    [26, 'storage_failed', '/x is damaged, or is no database.'],
  ])('by SQLite with %d is %s, with the name of the file', (errcode, code, message) => {
    const work = () =>
      withDatabase('/x', () => {
        throw ofSqlite(errcode);
      });
    expect(work).toThrow(expect.objectContaining({ code, message }));
  });

  test('is a folder that can not be made, which Node says in the words for one that is missing', () => {
    const error = Object.assign(ofSystem('ENOENT', '/x'), { syscall: 'mkdir' });
    expect(explainFailure(error)).toMatchObject({
      code: 'storage_failed',
      message: "/x can't be made: look at the folder above it, and whether its disk takes changes.",
    });
  });

  test('has a sentence also where no file is named', () => {
    expect(explainFailure(ofSystem('EISDIR'))).toMatchObject({
      message: 'A file is a folder where a file was looked for.',
    });
  });

  test('is nothing that nobody foresaw: a bug stays what it is', () => {
    for (const bug of [ofSqlite(1), ofSystem('EBADF'), new TypeError('x'), { code: 'ENOENT' }, 'text'])
      expect(explainFailure(bug)).toBe(bug);
    const named = Object.assign(new Error('x'), { code: 'ENOENT' });
    expect(explainFailure(named)).toBe(named);
  });
});
