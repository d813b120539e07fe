import { LodeError } from '#kernel';
import { failureOf, storageError } from '#sqlite';

/** The failure that an error of SQLite or of the file system stands for, in one sentence; any other error as it is. */
export function identityError(file: string, error: unknown): unknown {
  const name = `The identity file ${file}`;
  if (Error.isError(error) && 'syscall' in error)
    return new LodeError('storage_failed', `${name} can't be opened.`, {}, { cause: error });
  return storageError(error, {
    full: 'The disk is full: nothing was changed.',
    busy: 'Another program holds the identity file. Try again.',
    readOnly: `${name} may not be written.`,
    diskFailed: `${name} can't be read or written: the disk failed.`,
    damaged: `${name} is damaged.`,
    unopened: `${name} can't be opened.`,
    notADatabase: `${name} is damaged or is not a database.`,
  });
}

/** True when the disk itself failed: what a retried write would say can't be believed. */
export function isDiskFailure(error: unknown): boolean {
  return failureOf(error) === 'diskFailed';
}
