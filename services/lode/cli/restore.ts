import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hasCode, placesIn } from '#engines';
import { LodeError } from '#kernel';
import { describeFault } from '#verify';
import { checkFiles, checkLog } from './check-folder.js';
import type { Call, Outcome, Progress } from './command.js';
import { copyDurably, digestOf, sync, type Digest } from './digest.js';
import { alone } from './folder.js';
import { linesOf } from './lines.js';
import { readManifest, SUMS, uploadedIn, type Manifest } from './manifest.js';
import { counted } from './output.js';

const FOLDER_MODE = 0o700;
/** A line of `SHA256SUMS`: of these names alone, so that nothing is ever put beside the data folder. */
const LINE = /^([0-9a-f]{64}) {2}(events\.sqlite|identity\.sqlite|files\/[A-Za-z0-9]+(?:\.json)?)$/;
/** What is moved into place, in this order: with the log it is whole. */
const PARTS = ['files', 'identity.sqlite', 'events.sqlite'] as const;

/** `lode restore`. */
export async function carryRestore(call: Call): Promise<Outcome> {
  const { settings, args, progress } = call;
  const backup = resolve(args[0] ?? '');
  const folder = settings.dataFolder;
  refuseUsed(folder);
  const manifest = readManifest(backup);
  await check(backup, manifest, progress);
  await alone(call, async () => {
    refuseUsed(folder);
    await put(backup, folder, progress);
  });
  return {
    ok: true,
    facts: { folder, ...manifest },
    lines: [
      `${folder} holds ${counted(manifest.log.events, 'event')}, the identity store and ${counted(uploadedIn(manifest), 'uploaded file')}.`,
      'The read models are made at the next start.',
    ],
  };
}

/** A folder that has anything in it is left alone. */
function refuseUsed(folder: string): void {
  const found = existsSync(folder)
    ? readdirSync(folder).filter((name) => !name.startsWith('lock.sqlite'))
    : [];
  if (found.length === 0) return;
  throw new LodeError(
    'storage_failed',
    `${folder} is not empty (it has ${found[0] ?? ''}): a restore overwrites nothing.`,
  );
}

/** Makes sure that the backup is what it was when it was made. */
async function check(backup: string, { log, files }: Manifest, progress: Progress): Promise<void> {
  const sums = await digestThere(join(backup, SUMS));
  if (sums === undefined) throw damaged(`its ${SUMS} is missing`);
  if (sums.sha256 !== files.sums) throw damaged(`its ${SUMS} was changed`);
  let checked = 0;
  for await (const { name, sha256 } of listed(backup)) {
    if ((await digestThere(join(backup, name)))?.sha256 !== sha256) {
      throw damaged(`${name} is missing or was changed`);
    }
    progress('Checking files', (checked += 1), files.count);
  }
  const places = placesIn(backup);
  const [complaint] = checkFiles(places).flatMap(({ complaints }) => complaints);
  if (complaint !== undefined) throw damaged(complaint);
  const found = await checkLog(places.log, progress, log);
  const [fault] = found.faults;
  if (fault !== undefined) throw damaged(describeFault(fault));
  if (found.digest !== log.digest) throw damaged('its log is not the one that the manifest names');
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
async function put(backup: string, folder: string, progress: Progress): Promise<void> {
  const { restoring } = placesIn(folder);
  try {
    await copyInto(restoring, backup, progress);
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

async function copyInto(restoring: string, backup: string, progress: Progress): Promise<void> {
  await mkdir(join(restoring, 'files'), { recursive: true, mode: FOLDER_MODE });
  let copied = 0;
  for await (const { name, sha256 } of listed(backup)) {
    const to = join(restoring, name);
    if ((await copyDurably(join(backup, name), to)).sha256 !== sha256) throw damaged(`${name} was changed`);
    progress('Copying files', (copied += 1));
  }
  await sync(join(restoring, 'files'));
  await sync(restoring);
}

async function* listed(backup: string): AsyncGenerator<{ readonly name: string; readonly sha256: string }> {
  for await (const line of linesOf(createReadStream(join(backup, SUMS)))) {
    const [, sha256, name] = LINE.exec(line.text) ?? [];
    if (sha256 === undefined || name === undefined) throw damaged(`line ${line.number} of ${SUMS} is none`);
    yield { name, sha256 };
  }
}

function damaged(what: string): LodeError {
  return new LodeError('storage_failed', `The backup is damaged: ${what}. Nothing was restored.`);
}
