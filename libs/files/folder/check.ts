import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { hasCode, isLodeError } from '#kernel';
import type { FileFacts } from '#files';
import { readFacts } from './store.js';

/**
 * What is wrong with a file in a folder, in words that follow its id; undefined when it is whole. It is compared with
 * the facts stored with it, or with those given. Reads the whole of it, and changes nothing.
 */
export async function complaintAbout(
  { folder }: { readonly folder: string },
  fileId: string,
  mustBe?: FileFacts,
): Promise<string | undefined> {
  try {
    const facts = await readFacts({ folder }, fileId);
    const { bytes, sha256 } = mustBe ?? facts;
    const digest = createHash('sha256');
    let size = 0;
    for await (const chunk of createReadStream(join(folder, fileId)) as AsyncIterable<Buffer>) {
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
