import type { Progress } from '#engines';
import { complaintAboutFile, type FileMetadata, type FileStore } from '#files';
import { LodeError } from '#kernel';

export type CopiedFiles = { readonly count: number; readonly bytes: number };

/** Files listed at a time. */
const PAGE = 500;

export type CopyingFiles = {
  /** Files that were read on the other side already and were right; each that is read now is added. */
  readonly verified: Set<string>;
  readonly progress: Progress;
};

/**
 * Copies uploaded files that are not verified yet, and reads each where it was copied to. Throws `storage_failed` for one
 * that is not the same.
 */
export async function copyFiles(
  from: FileStore,
  to: FileStore,
  { verified, progress }: CopyingFiles,
): Promise<void> {
  for await (const { fileId } of filesOf(from)) {
    if (verified.has(fileId)) continue;
    await copyFile(from, to, fileId);
    verified.add(fileId);
    progress('Copying files', verified.size);
  }
}

async function copyFile(from: FileStore, to: FileStore, fileId: string): Promise<void> {
  const { metadata, stream } = await from.open(fileId);
  await to.copy(stream, metadata);
  stream.destroy();
  const complaint = await complaintAboutFile(() => to.open(fileId), metadata);
  if (complaint !== undefined)
    throw new LodeError('storage_failed', `The copy of the uploaded file ${fileId} ${complaint}.`);
}

/** As `copyFiles`. Throws `conflict` when the other side then has other files than this one. */
export async function copyAllFiles(from: FileStore, to: FileStore, how: CopyingFiles): Promise<CopiedFiles> {
  await copyFiles(from, to, how);
  let [count, bytes] = [0, 0];
  for await (const file of filesOf(from)) {
    count += 1;
    bytes += file.bytes;
  }
  let found = 0;
  for await (const _ of filesOf(to)) found += 1;
  if (found !== count)
    throw new LodeError('conflict', `There are ${found} uploaded files on the other side, and not ${count}.`);
  return { count, bytes };
}

async function* filesOf(store: FileStore): AsyncGenerator<FileMetadata> {
  for (let after: string | undefined; ;) {
    const page = await store.list({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.fileId;
  }
}
