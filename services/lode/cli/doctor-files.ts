import type { FileSize, FolderState, Maintenance, Part } from '#engines';
import type { Finding } from './finding.js';
import { size } from './output.js';

const WAL_BYTES_MOST = 256 * 1_024 ** 2;

/** The databases of a folder and their write-ahead logs, as far as they are there. */
export function sizesIn({ parts }: FolderState): readonly FileSize[] {
  const { log, identity, readModels, processes } = parts;
  return [log, identity, readModels, processes].flatMap(({ sizes }) => sizes);
}

/** What is there and what is missing. */
export function aboutFolder(folder: string, state: FolderState): readonly Finding[] {
  const { isThere, holds, isHalfRestored, uploads, parts } = state;
  // It is made at the start, and has nothing that could be lost.
  if (!holds.log && !holds.identity && !holds.uploads) return [];
  if (!isThere)
    return [
      { what: `There is no ${folder}.`, todo: 'It is made at the first start; else name it with --data.' },
    ];
  if (isHalfRestored) {
    return [
      { what: `A restore into ${folder} was not finished.`, todo: 'Empty the folder and restore again.' },
    ];
  }
  const hasNeither = !parts.log.isThere && !parts.identity.isThere;
  if (hasNeither && holds.log)
    return [
      {
        what: `There is no log in ${folder}.`,
        todo: 'It is made at the first start; else name the data folder with --data.',
      },
    ];
  if (uploads.isThere || !holds.uploads) return [];
  return [
    {
      what: `There is no folder ${uploads.name}, where uploaded files are kept.`,
      todo: 'Put it back from a backup; lode verify names each file that is missing.',
    },
  ];
}

/** What looks wrong from outside: rights, and what was left. */
export function aboutFiles(state: FolderState): readonly Finding[] {
  const { identity, readModels, processes } = state.parts;
  const findings: Finding[] = [...aboutRights(state)];
  if (state.hasOpenKeys)
    findings.push({
      what: `Others may read ${identity.name}, which holds keys.`,
      todo: `chmod 600 ${identity.name}`,
    });
  for (const { name, bytes } of sizesIn(state)) {
    if (!name.endsWith('-wal') || bytes < WAL_BYTES_MOST) continue;
    findings.push({
      what: `${name} has grown to ${size(bytes)}: something reads the file without end.`,
      todo: 'End other programs that have it open.',
    });
  }
  for (const [what, { setAside }] of [
    ['The read models were', readModels],
    ['What the processes remember was', processes],
  ] as const) {
    if (setAside === undefined) continue;
    findings.push({
      what: `${what} once damaged; the old file is ${setAside}.`,
      todo: 'Look at the disk, then delete that file.',
    });
  }
  if (readModels.isMarkedDamaged) {
    findings.push({
      what: `${readModels.name} was found to be damaged.`,
      todo: 'Look at the disk, then restart Lode: it makes it anew.',
    });
  }
  return findings;
}

function aboutRights({ forbidden }: FolderState): readonly Finding[] {
  if (forbidden.length === 0) return [];
  return [
    {
      what: `Whoever runs this may not read and write ${forbidden.join(', ')}.`,
      todo: 'They must be on a disk that is not read-only, and belong to the person who runs Lode (chown, chmod u+rw).',
    },
  ];
}

/** A database, and what to do when its structure is damaged. */
type Structure = { readonly part: Part; readonly todo: string };

/** Goes through the structure of each database that is small enough for that; the others are named. */
export function lookAtStructure(
  { checkQuickly }: Pick<Maintenance, 'checkQuickly'>,
  databases: readonly Structure[],
): {
  readonly findings: readonly Finding[];
  readonly tooLarge: readonly string[];
} {
  const findings: Finding[] = [];
  const tooLarge: string[] = [];
  for (const { part, todo } of databases) {
    const checked = checkQuickly(part);
    if (checked === undefined) continue;
    const { name, isLeftOut, complaint } = checked;
    if (isLeftOut) tooLarge.push(name);
    else if (complaint !== undefined) findings.push({ what: `${name} is damaged: ${complaint}.`, todo });
  }
  return { findings, tooLarge };
}
