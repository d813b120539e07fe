import { LodeError, type ErrorCode } from '#kernel';

type Sentence = readonly [code: ErrorCode, what: (name: string) => string];

const noRights: Sentence = [
  'storage_failed',
  (name) => `${name} may not be read or written: look at the rights of it and of the folders above it.`,
];
const noRoom: Sentence = ['storage_full', () => 'The disk is full: make room, and try again.'];
const noFolder: Sentence = [
  'storage_failed',
  (name) => `${name} is no folder, or one above it is none: a file stands there.`,
];

/** What Node says of a folder that can't be made where the disk takes no changes. */
const unmade: Sentence = [
  'storage_failed',
  (name) => `${name} can't be made: look at the folder above it, and whether its disk takes changes.`,
];

/** What the operating system says. */
const ofFiles: ReadonlyMap<unknown, Sentence> = new Map([
  ['ENOENT', ['file_not_found', (name) => `There is no ${name}.`]],
  ['ENOTDIR', noFolder],
  ['EEXIST', noFolder],
  ['EISDIR', ['storage_failed', (name) => `${name} is a folder where a file was looked for.`]],
  ['ENAMETOOLONG', ['storage_failed', (name) => `${name} is longer than a path can be.`]],
  ['EACCES', noRights],
  ['EPERM', noRights],
  ['EROFS', ['storage_failed', (name) => `${name} is on a disk that takes no changes.`]],
  ['ENOSPC', noRoom],
  ['EDQUOT', noRoom],
  ['EIO', ['storage_failed', (name) => `${name} can't be read or written: the disk failed.`]],
]);

/** What SQLite says, by its primary result codes. */
const ofDatabases: ReadonlyMap<number, Sentence> = new Map([
  [5, ['unavailable', (name) => `${name} is locked by another program.`]],
  [8, noRights],
  [10, ['storage_failed', (name) => `${name} can't be read or written: the disk failed.`]],
  [11, ['storage_failed', (name) => `${name} is damaged: restore it from a backup.`]],
  [13, noRoom],
  [
    14,
    ['storage_failed', (name) => `${name} can't be opened: look at its rights, and whether it is a file.`],
  ],
  [26, ['storage_failed', (name) => `${name} is damaged, or is no database.`]],
]);

/**
 * What the operating system or SQLite refused, in one sentence for the operator; any other error as it is. `file` is
 * the database that SQLite, which names none, was asked for.
 */
export function inOneSentence(error: unknown, file = 'A file'): unknown {
  if (!Error.isError(error)) return error;
  const [code, what] = sentenceFor(error) ?? [];
  if (code === undefined || what === undefined) return error;
  const name = 'path' in error && typeof error.path === 'string' ? error.path : file;
  return new LodeError(code, what(name), {}, { cause: error });
}

function sentenceFor(error: Error): Sentence | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') return ofDatabases.get(error.errcode & 0xff);
  if (!('syscall' in error && 'code' in error)) return undefined;
  return error.syscall === 'mkdir' && error.code === 'ENOENT' ? unmade : ofFiles.get(error.code);
}

/** Works with a database; what it fails with names the file. */
export function withDatabase<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inOneSentence(error, file);
  }
}

/** True for an error of the operating system with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return Error.isError(error) && 'code' in error && error.code === code;
}
