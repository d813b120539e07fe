import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, opendir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hasCode, type Places, placesIn } from '#engines';
import { LodeError } from '#kernel';
import { describeFault, type LogReport } from '#verify';
import { lodeVersion } from '../version.js';
import { checkFiles, checkLog } from './check-folder.js';
import type { Call, Outcome, Progress } from './command.js';
import { copyDurably, digestOf, sync, writeNew, type Digest } from './digest.js';
import { existing } from './folder.js';
import { MANIFEST, SUMS, uploadedIn, type Manifest } from './manifest.js';
import { counted, size } from './output.js';
import { takeSnapshot } from './snapshot.js';

const FOLDER_MODE = 0o700;
const OWNER_ONLY = 0o600;

/** `lode backup`. */
export async function carryBackup({ settings, args, progress }: Call): Promise<Outcome> {
  const from = existing(settings.dataFolder);
  const folder = resolve(args[0] ?? '');
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new LodeError('storage_failed', `${folder} is not empty: a backup goes into a folder of its own.`);
  }
  const to = placesIn(folder);
  await mkdir(to.files, { recursive: true, mode: FOLDER_MODE });
  await copyDatabases(from, to, progress);
  const log = await verified(to, progress);
  const { files, damaged } = await copyFiles(from, to, folder, progress);
  const manifest: Manifest = {
    format: 1,
    version: lodeVersion(),
    madeAt: new Date().toISOString(),
    log: { events: log.events, streams: log.streams, head: log.head, digest: log.digest },
    files,
  };
  await finish(folder, manifest);
  return {
    ok: damaged.length === 0,
    facts: { folder, ...manifest, damaged: damaged.map(({ id }) => id) },
    lines: [
      `${folder} holds ${counted(log.events, 'event')}, the identity store and ${counted(uploadedIn(manifest), 'uploaded file')}: ${size(files.bytes)}.`,
      ...damaged.map(({ id, what }) => `WRONG: the uploaded file ${id} ${what}.`),
    ],
  };
}

async function copyDatabases(from: Places, to: Places, progress: Progress): Promise<void> {
  const snapshot = takeSnapshot(from);
  try {
    await snapshot.copyLog(to.log, progress);
    await snapshot.copyIdentity(to.identity, progress);
  } finally {
    snapshot.close();
  }
  for (const file of [to.log, to.identity]) {
    await chmod(file, OWNER_ONLY);
    await sync(file);
  }
}

/** What the copy holds; a copy of a log that something is wrong with is no backup. */
async function verified(places: Places, progress: Progress): Promise<LogReport> {
  const [complaint] = checkFiles(places).flatMap(({ complaints }) => complaints);
  if (complaint !== undefined) throw unfit(complaint);
  const log = await checkLog(places.log, progress);
  const [fault] = log.faults;
  if (fault !== undefined) throw unfit(describeFault(fault));
  return log;
}

function unfit(what: string): LodeError {
  return new LodeError('storage_failed', `What was copied is wrong, so this is no backup: ${what}`);
}

type Damaged = { readonly id: string; readonly what: string };
type Copied = { readonly files: Manifest['files']; readonly damaged: readonly Damaged[] };

/** Copies the uploaded files, and lists everything with its hash. Those of after the log's moment do no harm. */
async function copyFiles(from: Places, to: Places, folder: string, progress: Progress): Promise<Copied> {
  const damaged: Damaged[] = [];
  let [number, bytes] = [0, 0];
  const list = async (sums: FileHandle, name: string, digest: Digest) => {
    await sums.write(`${digest.sha256}  ${name}\n`);
    number += 1;
    bytes += digest.bytes;
    progress('Copying files', number);
  };
  await writeNew(join(folder, SUMS), async (sums) => {
    await list(sums, 'events.sqlite', await digestOf(to.log));
    await list(sums, 'identity.sqlite', await digestOf(to.identity));
    for await (const id of uploaded(from.files)) {
      const content = await copyOf(from, to, id);
      const facts = await copyOf(from, to, `${id}.json`);
      if (content === undefined || facts === undefined) {
        for (const name of [id, `${id}.json`]) await rm(join(to.files, name), { force: true });
        // Who deletes a file takes its facts away first: with them it was deleted since it was listed.
        if (facts !== undefined) damaged.push({ id, what: 'is damaged: its content is missing' });
        continue;
      }
      await list(sums, `files/${id}`, content);
      await list(sums, `files/${id}.json`, facts);
      if ((await recordedHash(join(to.files, `${id}.json`))) !== content.sha256)
        damaged.push({ id, what: 'is not what was stored' });
    }
  });
  await sync(to.files);
  const { sha256 } = await digestOf(join(folder, SUMS));
  return { files: { count: number, bytes, sums: sha256 }, damaged };
}

/** The ids of the uploaded files: those whose facts are there. */
async function* uploaded(folder: string): AsyncGenerator<string> {
  if (!existsSync(folder)) return;
  for await (const entry of await opendir(folder)) {
    if (entry.isFile() && entry.name.endsWith('.json')) yield entry.name.slice(0, -'.json'.length);
  }
}

async function copyOf(from: Places, to: Places, name: string): Promise<Digest | undefined> {
  try {
    return await copyDurably(join(from.files, name), join(to.files, name));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function recordedHash(file: string): Promise<unknown> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { readonly sha256?: unknown }).sha256;
  } catch {
    return undefined;
  }
}

/** From here on it is a backup. */
async function finish(folder: string, manifest: Manifest): Promise<void> {
  const draft = join(folder, `${MANIFEST}.draft`);
  await writeNew(draft, (file) => file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`));
  await rename(draft, join(folder, MANIFEST));
  await sync(folder);
}
