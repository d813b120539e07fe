import { mayBeNamed, type FileMetadata, type FilePurpose, type FileStore } from '#files';
import { isLodeError, type Clock } from '#kernel';
import type { StoredFile } from '#ledger';

/** Where uploaded files are, and what time it is. */
export type Files = { readonly files: Pick<FileStore, 'stat'>; readonly clock: Clock };

/** The file of that name that was uploaded for `purpose`, or undefined when there is none. */
export async function fileFor(
  { files }: Pick<Files, 'files'>,
  fileId: string,
  purpose: FilePurpose,
): Promise<FileMetadata | undefined> {
  try {
    const file = await files.stat(fileId);
    return file.purpose === purpose ? file : undefined;
  } catch (error) {
    if (isLodeError(error) && error.code === 'file_not_found') return undefined;
    throw error;
  }
}

/**
 * What a command keeps of a file that `ownerId` uploaded for `purpose` lately, or undefined when there is none such:
 * another person's file can't be named, and one that waited too long may be swept at any moment.
 */
export async function ownFileFor(
  from: Files,
  fileId: string,
  ownerId: string,
  purpose: FilePurpose,
): Promise<StoredFile | undefined> {
  const file = await fileFor(from, fileId, purpose);
  if (file?.ownerId !== ownerId || !mayBeNamed(file, from.clock())) return undefined;
  const { mediaType, bytes, sha256 } = file;
  return { fileId, mediaType, bytes, sha256 };
}
