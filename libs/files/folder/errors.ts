import { isFull } from '#disk';
import { hasCode, isLodeError, LodeError } from '#kernel';
import { failureOf } from '#sqlite';

/**
 * Runs work on the disk and gives its failures the port's codes. An error that `isForeign` knows did not come from the
 * disk and is passed on as it is.
 */
export async function guarded<T>(
  work: () => Promise<T>,
  isForeign: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOwn = Error.isError(error) && ('syscall' in error || hasCode(error, 'ERR_SQLITE_ERROR'));
    if (isLodeError(error) || isForeign(error) || !isOwn) throw error;
    if (isFull(error) || failureOf(error) === 'full')
      throw new LodeError('storage_full', 'The disk is full: the file was not stored.', {}, { cause: error });
    const message = `The folder of uploaded files can't be used: ${error.message}.`;
    throw new LodeError('storage_failed', message, {}, { cause: error });
  }
}

/** A file is there but is not what was stored. */
export function damaged(fileId: string): LodeError {
  return new LodeError('storage_failed', `The stored file ${fileId} is damaged.`);
}
