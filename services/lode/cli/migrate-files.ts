import type { Progress } from '#engines';
import { complaintAboutFile, type FileMetadata, type FileStore } from '#files';
import { LodeError } from '#kernel';

export type CopiedFiles = { readonly count: number; readonly bytes: number };

/** Files listed at a time. */
const PAGE = 500;

/** Copies uploaded files, and reads each where it was copied to. Throws `storage_failed` for one that is not the same. */
export async function copyFiles(from: FileStore, to: FileStore, progress: Progress): Promise<CopiedFiles> {
  let [count, bytes] = [0, 0];
  for await (const { fileId } of filesOf(from)) {
    const { metadata, stream } = await from.open(fileId);
    await to.copy(stream, metadata);
    stream.destroy();
    const complaint = await complaintAboutFile(() => to.open(fileId), metadata);
    if (complaint !== undefined)
      throw new LodeError('storage_failed', `The copy of the uploaded file ${fileId} ${complaint}.`);
    bytes += metadata.bytes;
    progress('Copying files', (count += 1));
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
