import { existsSync } from 'node:fs';
import { chmod, mkdir, opendir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { sync } from '#disk';
import { hasCode } from '#kernel';
import { copyDurably, digestOf, writeNew, type Digest } from './durable-files.js';
import type { BackupFiles, BackupOptions, BackupResult, Inspection, Progress } from './inspection.js';
import { placesIn, type Places } from './places.js';
import { takeSnapshot } from './snapshot.js';

/** What a backup is, for whoever restores it; and the list of its files with a hash of each. */
export const MANIFEST = 'manifest.json';
export const SUMS = 'SHA256SUMS';

const FOLDER_MODE = 0o700;
const OWNER_ONLY = 0o600;

/** Copies the databases as they are at one moment, has them checked, then copies the uploaded files. */
export async function backUpFolder<Checked, Manifest extends object>(
  from: Places,
  { to: folder, check, manifest, progress }: BackupOptions<Checked, Manifest>,
  inspect: (folder: string) => Inspection,
): Promise<BackupResult<Checked, Manifest>> {
  const to = placesIn(folder);
  await mkdir(to.files, { recursive: true, mode: FOLDER_MODE });
  await copyDatabases(from, to, progress);
  const checked = await check(inspect(folder));
  const { files, damaged } = await copyFiles(from, to, folder, progress);
  const made = manifest(checked, files);
  await finish(folder, made);
  return { manifest: made, checked, damaged };
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

type Copied = Pick<BackupResult<unknown, object>, 'damaged'> & { readonly files: BackupFiles };

/** Copies the uploaded files, and lists everything with its hash. Those of after the log's moment do no harm. */
async function copyFiles(from: Places, to: Places, folder: string, progress: Progress): Promise<Copied> {
  const damaged: { readonly id: string; readonly what: string }[] = [];
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
async function finish(folder: string, manifest: object): Promise<void> {
  const draft = join(folder, `${MANIFEST}.draft`);
  await writeNew(draft, (file) => file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`));
  await rename(draft, join(folder, MANIFEST));
  await sync(folder);
}
