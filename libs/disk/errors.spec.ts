import { expect, test } from '@jest/globals';
import { getSystemErrorName } from 'node:util';
import { constants } from 'node:os';
import { isFull } from '#disk';

/** What Node says when the operating system refuses a call so. */
const ofSystem = (errno: number) =>
  Object.assign(new Error('no'), { errno: -errno, code: getSystemErrorName(-errno), syscall: 'write' });

test('a disk is full when it has no room, or its owner may take no more of it', () => {
  const { ENOSPC, EDQUOT, EIO, EACCES } = constants.errno;
  expect([ENOSPC, EDQUOT, EIO, EACCES].map((errno) => isFull(ofSystem(errno)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([isFull(new Error('no')), isFull(undefined)]).toEqual([false, false]);
});
