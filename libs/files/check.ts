import { createHash } from 'node:crypto';
import { hasCode, isLodeError } from '#kernel';
import type { FileFacts } from './port.js';

/** A file to be read: what it was stored as, and its content. */
export type OpenedFile = { readonly metadata: FileFacts; readonly stream: AsyncIterable<Uint8Array> };

/**
 * What is wrong with a stored file, in words that follow its id; undefined when it is whole. It is compared with the
 * facts stored with it, or with those given. Reads the whole of it, and changes nothing.
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
    return `can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
