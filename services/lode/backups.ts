import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastBackup } from '#application';
import { MANIFEST } from '#engines';
import { isLodeError, systemClock } from '#kernel';
import { readManifest } from './manifest.js';

/** Folders that are looked into, the last by their names: those that the program makes are named by the time. */
const FOLDERS_MAX = 1_000;
/** A folder that changed less than this ago may change again without another time, in milliseconds. */
const SETTLED_MS = 2_000;

/** What was found before, as long as the folder of backups has the same entries. */
type Seen = { readonly changedAt: number; readonly folders: Map<string, number> };

/**
 * Looks for the newest whole backup in a folder of backups; null where there is none. Of folders that have a manifest nothing
 * is asked again as long as none came or went: it is written last, and stays as it is.
 */
export function createBackupFinder(folder: string): () => Promise<LastBackup | null> {
  let seen: Seen | undefined;
  return async () => {
    const now = systemClock();
    const changedAt = await changeOf(folder);
    const isSame = seen !== undefined && seen.changedAt === changedAt;
    const folders = isSame && seen !== undefined ? seen.folders : await foldersIn(folder);
    await Promise.all(
      [...folders]
        .filter(([, writtenAt]) => writtenAt === 0)
        .map(async ([name]) => folders.set(name, await changeOf(join(folder, name, MANIFEST)))),
    );
    seen = now - changedAt < SETTLED_MS ? undefined : { changedAt, folders };
    const found = [...folders].filter(([, writtenAt]) => writtenAt > 0).sort(([, a], [, b]) => b - a);
    for (const [name] of found) {
      const backup = read(folder, name);
      if (backup !== undefined) return backup;
      // It is looked for again: somebody may have taken the manifest alone away.
      folders.set(name, 0);
    }
    return null;
  };
}

async function foldersIn(folder: string): Promise<Map<string, number>> {
  const names = await readdir(folder).catch(() => []);
  return new Map(
    names
      .sort()
      .slice(-FOLDERS_MAX)
      .map((name) => [name, 0]),
  );
}

/** When a file, or the entries of a folder, changed last, in milliseconds; 0 for one that is not there. */
async function changeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function read(folder: string, name: string): LastBackup | undefined {
  try {
    const { madeAt, log, files } = readManifest(join(folder, name));
    return { name, madeAt, events: log.events, bytes: files.bytes };
  } catch (error) {
    // A manifest that can't be read makes no backup.
    if (isLodeError(error)) return undefined;
    throw error;
  }
}
