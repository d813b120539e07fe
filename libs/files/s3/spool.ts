import { constants } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isFull } from '#disk';
import { fromSource, receive, type FileContent, type FilePurpose, type Received } from '#files';
import { isLodeError, LodeError } from '#kernel';

const CHUNK_BYTES = 64 * 1024;
const CREATE_NEW = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
const OWNER_ONLY = 0o600;

/** A content that came whole, to be sent as often as it takes. */
export type Held = {
  readonly facts: Received;
  /** The content from its beginning. */
  readonly body: () => Readable | Uint8Array;
  readonly release: () => Promise<void>;
};

/**
 * Takes a content in until it is whole: one that is in memory stays there, another goes into a file without a name in
 * `folder`, which is gone with the program, however that ends. Refuses as `FileStore.put`, and with `storage_full` and
 * `storage_failed`.
 */
export async function hold(
  content: FileContent,
  {
    purpose,
    folder,
    name,
  }: { readonly purpose: FilePurpose; readonly folder: string; readonly name: string },
): Promise<Held> {
  const { chunks, failedWith } = fromSource(content);
  if (content instanceof Uint8Array) {
    const facts = await receive(chunks, purpose, () => Promise.resolve());
    return { facts, body: () => content, release: () => Promise.resolve() };
  }
  let handle: FileHandle | undefined;
  try {
    const path = join(folder, name);
    const file = (handle = await open(path, CREATE_NEW, OWNER_ONLY));
    await rm(path);
    const facts = await receive(chunks, purpose, (chunk) => file.writeFile(chunk));
    const body = () => Readable.from(chunksOf(file, facts.bytes), { objectMode: false });
    // Whether it was stored is known by then.
    const release = () => file.close().catch(() => undefined);
    return { facts, body, release };
  } catch (error) {
    await handle?.close();
    throw failedWith(error) ? error : diskError(error);
  }
}

async function* chunksOf(handle: FileHandle, bytes: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes;) {
    const { buffer, bytesRead } = await handle
      .read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at)
      .catch((error: unknown) => {
        throw diskError(error);
      });
    if (bytesRead === 0)
      throw new LodeError('storage_failed', 'An upload under way was cut short on the disk.');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The `LodeError` that a failure of the disk is, which names no file; a bug stays what it is. */
export function diskError(error: unknown): unknown {
  if (isLodeError(error) || !Error.isError(error) || !('syscall' in error)) return error;
  if (isFull(error))
    return new LodeError('storage_full', 'The disk is full: the file was not stored.', {}, { cause: error });
  const reason = 'code' in error ? String(error.code) : error.name;
  const message = `The folder of uploads under way can't be used: ${reason}.`;
  return new LodeError('storage_failed', message, {}, { cause: error });
}
