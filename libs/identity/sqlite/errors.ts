import { LodeError } from '#kernel';

/** Primary result codes of SQLite (the lower byte of an extended one). */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

const broken: { readonly [code: number]: string } = {
  [READONLY]: 'may not be written',
  [IOERR]: "can't be read or written: the disk failed",
  [CORRUPT]: 'is damaged',
  [CANTOPEN]: "can't be opened",
  [NOTADB]: 'is damaged or is not a database',
};

/** The failure that an error of SQLite or of the file system stands for, in one sentence; any other error as it is. */
export function storageError(file: string, error: unknown): unknown {
  const cause = { cause: error };
  if (Error.isError(error) && 'syscall' in error)
    return new LodeError('storage_failed', `The identity file ${file} can't be opened.`, {}, cause);
  const code = resultCode(error);
  if (code === undefined) return error;
  if (code === FULL)
    return new LodeError('storage_full', 'The disk is full: nothing was changed.', {}, cause);
  if (code === BUSY || code === LOCKED)
    return new LodeError('unavailable', 'Another program holds the identity file. Try again.', {}, cause);
  const what = broken[code];
  return what === undefined
    ? error
    : new LodeError('storage_failed', `The identity file ${file} ${what}.`, {}, cause);
}

/** True when the disk itself failed: what a retried write would say can't be believed. */
export function isDiskFailure(error: unknown): boolean {
  return resultCode(error) === IOERR;
}

function resultCode(error: unknown): number | undefined {
  if (!Error.isError(error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
