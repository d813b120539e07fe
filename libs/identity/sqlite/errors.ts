import { LodeError } from '#kernel';
import { failureOf, keptFileError } from '#sqlite';

/** The failure that an error of SQLite or of the file system stands for, in one sentence; any other error as it is. */
export function identityError(file: string, error: unknown): unknown {
  // No number that is written here is too large for JavaScript.
  if (Error.isError(error) && 'code' in error && error.code === 'ERR_OUT_OF_RANGE')
    return new LodeError(
      'storage_failed',
      `A row of the identity file ${file} is damaged.`,
      {},
      { cause: error },
    );
  return keptFileError(error, 'identity file', file);
}

/** True when the disk itself failed: what a retried write would say can't be believed. */
export function isDiskFailure(error: unknown): boolean {
  return failureOf(error) === 'diskFailed';
}
