import { constants } from 'node:os';
import { hasCode } from '#kernel';

/**
 * True for what the operating system says where there is no room: on the disk, or in what a quota allows. Node has no name
 * for the second.
 */
export function isFull(error: unknown): boolean {
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return true;
  return Error.isError(error) && 'errno' in error && error.errno === -constants.errno.EDQUOT;
}
