import { isFull } from '#disk';
import { LodeError, type ErrorCode } from '#kernel';
import { storageError, type Sentences } from '#sqlite';

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

const noDescriptors: Sentence = [
  'storage_failed',
  (name) =>
    `${name} can't be opened: too many files are open. Raise the limit (ulimit -n, or LimitNOFILE of the service).`,
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
  ['EMFILE', noDescriptors],
  ['ENFILE', noDescriptors],
  ['EIO', ['storage_failed', (name) => `${name} can't be read or written: the disk failed.`]],
]);

/** What SQLite says of a database. */
const ofDatabase = (name: string): Sentences => ({
  busy: `${name} is locked by another program.`,
  readOnly: noRights[1](name),
  diskFailed: `${name} can't be read or written: the disk failed.`,
  damaged: `${name} is damaged: restore it from a backup.`,
  full: noRoom[1](name),
  unopened: `${name} can't be opened: look at its rights, and whether it is a file.`,
  notADatabase: `${name} is damaged, or is no database.`,
});

/**
 * What the operating system or SQLite refused, in one sentence for the operator; any other error as it is. `file` is
 * the database that SQLite, which names none, was asked for.
 */
export function explainFailure(error: unknown, file = 'A file'): unknown {
  if (!Error.isError(error)) return error;
  const [code, what] = sentenceFor(error) ?? [];
  if (code === undefined || what === undefined) return storageError(error, ofDatabase(file));
  const name = 'path' in error && typeof error.path === 'string' ? error.path : file;
  return new LodeError(code, what(name), {}, { cause: error });
}

function sentenceFor(error: Error): Sentence | undefined {
  if (!('syscall' in error && 'code' in error)) return undefined;
  if (isFull(error)) return noRoom;
  return error.syscall === 'mkdir' && error.code === 'ENOENT' ? unmade : ofFiles.get(error.code);
}

/** Works with a database; what it fails with names the file. */
export function withDatabase<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainFailure(error, file);
  }
}
