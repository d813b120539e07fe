import { createHash } from 'node:crypto';
import { hasCode, isLodeError, LodeError } from '#kernel';
import type { FileFacts, FileMetadata } from './port.js';

/** Whether two files are the same one; refuses with `conflict` when they only have the same id. */
export function isSameFile(found: FileMetadata | undefined, file: FileMetadata): boolean {
  if (found === undefined) return false;
  if (found.sha256 === file.sha256 && found.ownerId === file.ownerId) return true;
  throw new LodeError('conflict', `Another file has the id ${file.fileId}.`);
}

/** Refuses, with `storage_failed`, a copy that is not what its file is. */
export function checkCopy({ bytes, sha256 }: FileFacts, file: FileMetadata): void {
  if (bytes === file.bytes && sha256 === file.sha256) return;
  throw new LodeError('storage_failed', `The content of the stored file ${file.fileId} was changed.`);
}

/** A file to be read: what it was stored as, and its content. */
export type OpenedFile = { readonly metadata: FileFacts; readonly stream: AsyncIterable<Uint8Array> };

/**
 * What is wrong with a stored file, in words that follow its id; undefined when it is whole. It is compared with the
 * facts stored with it, or with those given. Reads the whole of it, and changes nothing. Refuses with `unavailable`
 * where the store is away, which says nothing of the file.
 */
export async function complaintAboutFile(
  open: () => Promise<OpenedFile>,
  mustBe?: FileFacts,
): Promise<string | undefined> {
  try {
    const { metadata, stream } = await open();
    const { bytes, sha256 } = mustBe ?? metadata;
    const digest = createHash('sha256');
    let size = 0;
    for await (const chunk of stream) {
      digest.update(chunk);
      size += chunk.byteLength;
    }
    if (size !== bytes) return `has ${size} bytes and not ${bytes}`;
    return digest.digest('hex') === sha256 ? undefined : 'is not what was stored: its SHA-256 is another';
  } catch (error) {
    if (hasCode(error, 'ENOENT') || (isLodeError(error) && error.code === 'file_not_found'))
      return 'is missing';
    if (hasCode(error, 'unavailable')) throw error;
    return `can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
