import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sync } from '#disk';
import { openLogReader } from '#event-store/sqlite';
import { writeHeadFile } from '#identity/sqlite';
import { hasCode, LodeError, systemClock } from '#kernel';
import { SUMS } from './backup.js';
import { copyDurably, digestOf, type Digest } from './durable-files.js';
import { endOf } from './heads.js';
import { linesOf } from './lines.js';
import type { BackupFiles, Progress } from './inspection.js';
import { placesIn } from './places.js';

const FOLDER_MODE = 0o700;
/** A line of `SHA256SUMS`: of these names alone, so that nothing is ever put beside the data folder. */
const LINE = /^([0-9a-f]{64}) {2}(events\.sqlite|identity\.sqlite|files\/[A-Za-z0-9]+(?:\.json)?)$/;
/** What is moved into place, in this order: with the log it is whole. */
const PARTS = ['files', 'identity.sqlite', 'head', 'events.sqlite'] as const;

/** Refuses, with `storage_failed`, a folder that has anything in it but a lock. */
export function refuseUsed(folder: string): void {
  const found = existsSync(folder)
    ? readdirSync(folder).filter((name) => !name.startsWith('lock.sqlite'))
    : [];
  if (found.length === 0) return;
  throw new LodeError(
    'storage_failed',
    `${folder} is not empty (it has ${found[0] ?? ''}): a restore overwrites nothing.`,
  );
}

/** Refuses, with `storage_failed`, a backup whose files are not those that it was made with. */
export async function checkSums(
  backup: string,
  { sums, count }: BackupFiles,
  progress: Progress,
): Promise<void> {
  const found = await digestThere(join(backup, SUMS));
  if (found === undefined) throw damagedBackup(`its ${SUMS} is missing`);
  if (found.sha256 !== sums) throw damagedBackup(`its ${SUMS} was changed`);
  let checked = 0;
  for await (const { name, sha256 } of listed(backup)) {
    if ((await digestThere(join(backup, name)))?.sha256 !== sha256) {
      throw damagedBackup(`${name} is missing or was changed`);
    }
    progress('Checking files', (checked += 1), count);
  }
}

/** Undefined where no file is. */
async function digestThere(file: string): Promise<Digest | undefined> {
  try {
    return await digestOf(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EISDIR')) return undefined;
    throw error;
  }
}

/** Copies everything into a folder beside its place, then moves it there: a folder with half of it is never used. */
export async function restoreInto(folder: string, backup: string, progress: Progress): Promise<void> {
  refuseUsed(folder);
  const { restoring } = placesIn(folder);
  try {
    await copyInto(restoring, backup, progress);
    await keepHead(restoring);
  } catch (error) {
    await rm(restoring, { recursive: true, force: true });
    throw error;
  }
  for (const part of PARTS) {
    await rename(join(restoring, part), join(folder, part));
    await sync(folder);
  }
  await rmdir(restoring);
  await sync(folder);
  await sync(dirname(folder));
}

/** What comes before the first start is compared with this: the log that was restored. */
async function keepHead(restoring: string): Promise<void> {
  const { log, identity } = placesIn(restoring);
  const reader = openLogReader(log);
  try {
    const { logId: _, ...end } = await endOf({
      last: async () => reader.last(),
      header: async () => reader.header(),
    });
    await writeHeadFile(identity, { ...end, keptAt: new Date(systemClock()).toISOString() });
  } finally {
    reader.close();
  }
}

async function copyInto(restoring: string, backup: string, progress: Progress): Promise<void> {
  await mkdir(join(restoring, 'files'), { recursive: true, mode: FOLDER_MODE });
  let copied = 0;
  for await (const { name, sha256 } of listed(backup)) {
    const to = join(restoring, name);
    if ((await copyDurably(join(backup, name), to)).sha256 !== sha256)
      throw damagedBackup(`${name} was changed`);
    progress('Copying files', (copied += 1));
  }
  await sync(join(restoring, 'files'));
  await sync(restoring);
}

async function* listed(backup: string): AsyncGenerator<{ readonly name: string; readonly sha256: string }> {
  for await (const line of linesOf(createReadStream(join(backup, SUMS)))) {
    const [, sha256, name] = LINE.exec(line.text) ?? [];
    if (sha256 === undefined || name === undefined)
      throw damagedBackup(`line ${line.number} of ${SUMS} is none`);
    yield { name, sha256 };
  }
}

/** Why a backup can't be restored. */
export function damagedBackup(what: string): LodeError {
  return new LodeError('storage_failed', `The backup is damaged: ${what}. Nothing was restored.`);
}
