import { closeSync, openSync, readSync } from 'node:fs';
import { hasCode, isLodeError, LodeError, type ErrorCode } from '#kernel';

/** SQLite's primary result codes that mean something to an adapter. An extended code has them in its low byte. */
const kinds = {
  1: 'statement',
  5: 'busy',
  6: 'busy',
  8: 'readOnly',
  10: 'diskFailed',
  11: 'damaged',
  13: 'full',
  14: 'unopened',
  19: 'constraint',
  26: 'notADatabase',
} as const;

/** What a failure of SQLite is; `other` for a result code that nobody tells apart. */
export type SqliteFailure = (typeof kinds)[keyof typeof kinds] | 'other';

/** The failures that are not `storage_failed`. */
const codes: { readonly [Failure in SqliteFailure]?: ErrorCode } = {
  full: 'storage_full',
  busy: 'unavailable',
};

/** What a caller says of each failure, in one sentence; `other` is said of those that have none of their own. */
export type Sentences = { readonly [Failure in SqliteFailure]?: string };

/** What SQLite failed with; undefined for an error that is not SQLite's. */
export function failureOf(error: unknown): SqliteFailure | undefined {
  if (!Error.isError(error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  const primary = error.errcode & 0xff;
  return primary in kinds ? kinds[primary as keyof typeof kinds] : 'other';
}

/** Errors of a `COMMIT`: what it was to write was handed to the disk. */
const ofCommits = new WeakSet<Error>();

/**
 * Commits a transaction, and knows its failure again as one after which the transaction may be in the file. Its last frame is
 * what makes it one, and is written after all others: of a disk that is full before it the next start finds nothing.
 */
export function commit(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (Error.isError(error)) ofCommits.add(error);
    throw error;
  }
}

/** True when the file is damaged, or is no database at all. */
export function isDamage(error: unknown): boolean {
  const failure = failureOf(error);
  return failure === 'damaged' || failure === 'notADatabase';
}

/** Failures of a disk at a read, by their extended codes. SQLite takes some of them for damage. */
const READ_FAILED = 10 | (1 << 8); // SQLITE_IOERR_READ
const READ_FAILURES: ReadonlySet<unknown> = new Set([
  READ_FAILED,
  10 | (2 << 8), // SQLITE_IOERR_SHORT_READ
  10 | (33 << 8), // SQLITE_IOERR_CORRUPTFS
]);

/** True for what a read may fail with once and not again: a disk that fails for a moment is not a file that is damaged. */
export function mayPass(error: unknown): boolean {
  if (isDamage(error)) return true;
  return Error.isError(error) && 'errcode' in error && READ_FAILURES.has(error.errcode);
}

/**
 * Reads, and once more what may pass. SQLite also says of a disk that goes on failing that the file is damaged: where the
 * file is named, it is read without SQLite then, and the disk's failure is what is thrown.
 */
export function readingAgain<T>(read: () => T, file?: string): T {
  try {
    return read();
  } catch (error) {
    if (!mayPass(error)) throw error;
  }
  try {
    return read();
  } catch (error) {
    throw file === undefined ? error : whoFailed(error, file);
  }
}

/** The disk’s failure, as SQLite says it, of damage that is none; any other error as it is. */
function whoFailed(error: unknown, file: string): unknown {
  if (!isDamage(error) || !isUnreadable(file)) return error;
  return Object.assign(new Error('disk I/O error', { cause: error }), { errcode: READ_FAILED });
}

const CHUNK_BYTES = 1_048_576;
/** How much of a large file is read to know whether it can be. */
const READ_BYTES_MAX = 1_024 * CHUNK_BYTES;

/** Whether the disk fails at reading a file. */
function isUnreadable(file: string): boolean {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = 0; at < READ_BYTES_MAX; at += CHUNK_BYTES)
      if (readSync(fd, chunk, 0, CHUNK_BYTES, at) === 0) return false;
    return false;
  } catch (error) {
    return hasCode(error, 'EIO');
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * The `LodeError` that a failure of SQLite is: `storage_full`, `unavailable` while another program has the file,
 * `unknown_outcome` of any other failure of a commit, else `storage_failed`. Any other error, and a failure that has no
 * sentence, is given back as it is.
 */
export function storageError(error: unknown, sentences: Sentences): unknown {
  const failure = failureOf(error);
  if (failure === undefined) return error;
  const message = sentences[failure] ?? sentences.other;
  if (message === undefined) return error;
  const isOfCommit = Error.isError(error) && ofCommits.has(error);
  const code = codes[failure] ?? (isOfCommit ? 'unknown_outcome' : 'storage_failed');
  return new LodeError(code, message, {}, { cause: error });
}

/**
 * The failure of a file that can't be made again, by its name such as `identity file`: as `storageError`, with a sentence
 * for each, and `storage_failed` for what the operating system refuses.
 */
export function keptFileError(error: unknown, what: string, file: string): unknown {
  const name = `The ${what} ${file}`;
  if (Error.isError(error) && 'syscall' in error)
    return new LodeError('storage_failed', `${name} can't be opened.`, {}, { cause: error });
  return storageError(whoFailed(error, file), {
    full: 'The disk is full: nothing was changed.',
    busy: `Another program holds the ${what}. Try again.`,
    readOnly: `${name} may not be written.`,
    diskFailed: `${name} can't be read or written: the disk failed.`,
    damaged: `${name} is damaged.`,
    unopened: `${name} can't be opened.`,
    notADatabase: `${name} is damaged or is not a database.`,
  });
}

/** Does work whose every failure is `unavailable` with one message; a `LodeError` stays what it is. */
export function orUnavailable(message: string): <T>(work: () => T) => T {
  return (work) => {
    try {
      return work();
    } catch (error) {
      if (isLodeError(error)) throw error;
      throw new LodeError('unavailable', message, {}, { cause: error });
    }
  };
}
