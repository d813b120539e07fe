import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '#engines';
import type { Finding } from './finding.js';
import { firstComplaint } from './folder.js';
import { size } from './output.js';

const WAL_BYTES_MOST = 256 * 1_024 ** 2;
/** The largest database whose structure is gone through: a moment's work. */
const STRUCTURE_BYTES_MAX = 64 * 1_024 ** 2;
const MODE_OF_OTHERS = 0o077;
const AND_LOG = ['', '-wal'];

export type FileSize = { readonly name: string; readonly bytes: number };

/** The databases of a folder and their write-ahead logs, as far as they are there. */
export function sizesOf({ log, identity, readModels, processes }: Places): readonly FileSize[] {
  return [log, identity, readModels, processes]
    .flatMap((file) => AND_LOG.map((end) => file + end))
    .flatMap((name) => {
      const found = statSync(name, { throwIfNoEntry: false });
      return found === undefined ? [] : [{ name, bytes: found.size }];
    });
}

/** What is there and what is missing. */
export function aboutFolder(folder: string, places: Places): readonly Finding[] {
  if (!existsSync(folder))
    return [
      { what: `There is no ${folder}.`, todo: 'It is made at the first start; else name it with --data.' },
    ];
  if (existsSync(places.restoring)) {
    return [
      { what: `A restore into ${folder} was not finished.`, todo: 'Empty the folder and restore again.' },
    ];
  }
  if (!existsSync(places.log) && !existsSync(places.identity))
    return [
      {
        what: `There is no log in ${folder}.`,
        todo: 'It is made at the first start; else name the data folder with --data.',
      },
    ];
  if (statSync(places.files, { throwIfNoEntry: false })?.isDirectory() === true) return [];
  return [
    {
      what: `There is no folder ${places.files}, where uploaded files are kept.`,
      todo: 'Put it back from a backup; npx lode verify names each file that is missing.',
    },
  ];
}

/** What looks wrong from outside: rights, and what was left. */
export function aboutFiles(places: Places, sizes: readonly FileSize[]): readonly Finding[] {
  const { identity, readModels, processes } = places;
  const findings: Finding[] = [...aboutRights(places)];
  if (process.platform !== 'win32' && isOpenToOthers(identity))
    findings.push({ what: `Others may read ${identity}, which holds keys.`, todo: `chmod 600 ${identity}` });
  for (const { name, bytes } of sizes) {
    if (!name.endsWith('-wal') || bytes < WAL_BYTES_MOST) continue;
    findings.push({
      what: `${name} has grown to ${size(bytes)}: something reads the file without end.`,
      todo: 'End other programs that have it open.',
    });
  }
  for (const [what, file] of [
    ['The read models were', readModels],
    ['What the processes remember was', processes],
  ] as const) {
    if (!existsSync(`${file}.discarded`)) continue;
    findings.push({
      what: `${what} once damaged; the old file is ${file}.discarded.`,
      todo: 'Look at the disk, then delete that file.',
    });
  }
  if (existsSync(`${readModels}.damaged`)) {
    findings.push({
      what: `${readModels} was found to be damaged.`,
      todo: 'Look at the disk, then restart Lode: it makes it anew.',
    });
  }
  return findings;
}

function isOpenToOthers(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & MODE_OF_OTHERS) !== 0;
}

function aboutRights({ log, identity, readModels, processes, files }: Places): readonly Finding[] {
  const closed = [log, identity, readModels, processes, files, join(files, 'unfinished')].filter(
    (path) => existsSync(path) && !isOurs(path),
  );
  if (closed.length === 0) return [];
  return [
    {
      what: `Whoever runs this may not read and write ${closed.join(', ')}.`,
      todo: 'They must be on a disk that is not read-only, and belong to the person who runs Lode (chown, chmod u+rw).',
    },
  ];
}

function isOurs(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A database, and what to do when its structure is damaged. */
type Structure = { readonly file: string; readonly todo: string };

/** Goes through the structure of each database that is small enough for that; the others are named. */
export function lookAtStructure(databases: readonly Structure[]): {
  readonly findings: readonly Finding[];
  readonly tooLarge: readonly string[];
} {
  const findings: Finding[] = [];
  const tooLarge: string[] = [];
  for (const { file, todo } of databases) {
    if (!existsSync(file)) continue;
    const bytes = AND_LOG.reduce(
      (sum, end) => sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
    if (bytes === 0) continue;
    if (bytes > STRUCTURE_BYTES_MAX) tooLarge.push(file);
    else {
      const complaint = firstComplaint(file);
      if (complaint !== undefined) findings.push({ what: `${file} is damaged: ${complaint}.`, todo });
    }
  }
  return { findings, tooLarge };
}
