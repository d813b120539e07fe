import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG } from '#files/folder';
import { isMarkedDamaged, setAsideName } from '#sqlite';
import type { Places } from './places.js';

/** The databases of a data folder. */
export type Part = 'log' | 'identity' | 'readModels' | 'processes' | 'uploadsList';

/** The file of each of them. */
export function fileOf(part: Part, places: Places): string {
  return part === 'uploadsList' ? join(places.files, CATALOG) : places[part];
}

/** A file as people name it, and how large it is. */
export type FileSize = { readonly name: string; readonly bytes: number };

/** One database as seen from outside. */
export type PartState = {
  readonly name: string;
  readonly isThere: boolean;
  /** It and its write-ahead log, as far as they are there. */
  readonly sizes: readonly FileSize[];
  /** Where one that could not be used was moved; undefined when nothing is there. */
  readonly setAside: string | undefined;
  /** It was found to be damaged while it was used: the next start makes it anew. */
  readonly isMarkedDamaged: boolean;
};

/** What a data folder is to have. */
export type Holds = { readonly log: boolean; readonly identity: boolean; readonly uploads: boolean };

/** A data folder as seen from outside. */
export type FolderState = {
  readonly isThere: boolean;
  /** What is to be in it; the rest is on servers. */
  readonly holds: Holds;
  /** A restore into it was begun and not finished. */
  readonly isHalfRestored: boolean;
  readonly uploads: { readonly name: string; readonly isThere: boolean };
  readonly parts: Readonly<Record<Exclude<Part, 'uploadsList'>, PartState>>;
  /** Others may look into the file that holds keys. */
  readonly hasOpenKeys: boolean;
  /** What whoever runs this may not read and write. */
  readonly forbidden: readonly string[];
};

const MODE_OF_OTHERS = 0o077;
const WITH_WAL = ['', '-wal'];

/** Looks at a folder without opening anything in it. Throws what the operating system says of one that is closed. */
export function lookAtFolder(folder: string, places: Places, holds: Holds): FolderState {
  const { log, identity, readModels, processes, files, restoring } = places;
  return {
    isThere: existsSync(folder),
    holds,
    isHalfRestored: existsSync(restoring),
    uploads: {
      name: files,
      isThere: statSync(files, { throwIfNoEntry: false })?.isDirectory() === true,
    },
    parts: {
      log: partIn(log),
      identity: partIn(identity),
      readModels: partIn(readModels),
      processes: partIn(processes),
    },
    hasOpenKeys: process.platform !== 'win32' && isOpenToOthers(identity),
    forbidden: [log, identity, readModels, processes, files, join(files, 'unfinished')].filter(
      (path) => existsSync(path) && !isOurs(path),
    ),
  };
}

function partIn(file: string): PartState {
  const setAside = setAsideName(file);
  return {
    name: file,
    isThere: existsSync(file),
    sizes: sizesOf(file),
    setAside: existsSync(setAside) ? setAside : undefined,
    isMarkedDamaged: isMarkedDamaged(file),
  };
}

/** A database and its write-ahead log, as far as they are there. */
export function sizesOf(file: string): readonly FileSize[] {
  return WITH_WAL.flatMap((end) => {
    const found = statSync(file + end, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ name: file + end, bytes: found.size }];
  });
}

function isOpenToOthers(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & MODE_OF_OTHERS) !== 0;
}

function isOurs(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
