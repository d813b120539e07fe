import type { Progress } from '#engines';
import { complaintAboutFile, type FileMetadata, type FileStore } from '#files';
import { hasCode, LodeError } from '#kernel';

/** A file that could not be copied, and what is wrong with it. */
export type LeftBehind = { readonly fileId: string; readonly what: string };

export type CopiedFiles = {
  readonly count: number;
  readonly bytes: number;
  readonly leftBehind: readonly LeftBehind[];
};

export type CopyingFiles = {
  /** Files that were read on the other side already and were right; each that is read now is added. */
  readonly verified: Set<string>;
  /** Goes on without files that are damaged or lost where they are copied from. */
  readonly leaveDamaged: boolean;
  readonly progress: Progress;
};

/** Files listed at a time. */
const PAGE = 500;
/** Failures that say nothing of the file. */
const OUTAGES = ['unavailable', 'overloaded', 'unknown_outcome', 'storage_full', 'conflict'];

/**
 * Copies uploaded files that are not verified yet, and reads each where it was copied to. Throws `storage_failed` for one
 * that is damaged or lost, unless those are left behind: answers with them.
 */
export async function copyFiles(
  from: FileStore,
  to: FileStore,
  { verified, leaveDamaged, progress }: CopyingFiles,
): Promise<readonly LeftBehind[]> {
  const leftBehind: LeftBehind[] = [];
  for await (const file of filesOf(from)) {
    const { fileId } = file;
    if (verified.has(fileId)) continue;
    const what = await copyFile(from, to, file);
    if (what === undefined) verified.add(fileId);
    else if (leaveDamaged) leftBehind.push({ fileId, what });
    else
      throw new LodeError(
        'storage_failed',
        `The uploaded file ${fileId} ${what}: restore it, or go on without it and others like it by --leave-damaged.`,
      );
    progress('Copying files', verified.size);
  }
  return leftBehind;
}

/** Copies a file; answers with what is wrong with it where it is, so that nothing was copied. */
async function copyFile(from: FileStore, to: FileStore, file: FileMetadata): Promise<string | undefined> {
  const { fileId } = file;
  const complaint = () => complaintAboutFile(() => to.open(fileId), file);
  try {
    const { metadata, stream } = await from.open(fileId);
    try {
      await to.copy(stream, metadata);
    } finally {
      stream.destroy();
    }
  } catch (error) {
    if (OUTAGES.some((code) => hasCode(error, code))) throw error;
    // An earlier run may have copied it when it was whole.
    if ((await complaint()) === undefined) return undefined;
    const what = await complaintAboutFile(() => from.open(fileId), file);
    if (what === undefined) throw error;
    return what;
  }
  const wrong = await complaint();
  if (wrong === undefined) return undefined;
  throw new LodeError('storage_failed', `The copy of the uploaded file ${fileId} ${wrong}.`);
}

/** As `copyFiles`. Throws `conflict` when the other side then has other files than those that were copied. */
export async function copyAllFiles(from: FileStore, to: FileStore, how: CopyingFiles): Promise<CopiedFiles> {
  const leftBehind = await copyFiles(from, to, how);
  const isLeft = new Set(leftBehind.map(({ fileId }) => fileId));
  let [count, bytes] = [0, 0];
  for await (const file of filesOf(from)) {
    if (isLeft.has(file.fileId)) continue;
    count += 1;
    bytes += file.bytes;
  }
  let found = 0;
  for await (const _ of filesOf(to)) found += 1;
  if (found !== count)
    throw new LodeError('conflict', `There are ${found} uploaded files on the other side, and not ${count}.`);
  return { count, bytes, leftBehind };
}

/** What is half stored was never said to be there: a sweep takes it away, or its upload ends and a later look finds it. */
async function* filesOf(store: FileStore): AsyncGenerator<FileMetadata> {
  for (let after: string | undefined; ;) {
    const page = await store.list({
      storedOnly: true,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.fileId;
  }
}
