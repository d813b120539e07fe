import { createHash } from 'node:crypto';
import { mediaTypeOf, SAMPLE_BYTES, type MediaType } from './media-type.js';
import { fileLimits, type FileContent, type FileMetadata } from './port.js';
import type { FilePurpose } from './purposes.js';
import { fileEmpty, fileTooLarge, fileTypeRefused } from './rules.js';

/** What a content turned out to be. */
export type Received = Pick<FileMetadata, 'mediaType' | 'bytes' | 'sha256'>;

/**
 * Takes a content in, a chunk at a time, and tells what it is. Refuses as `FileStore.put`, and reads no further when it
 * does; what `write` got until then is to be thrown away.
 */
export async function receive(
  chunks: AsyncIterable<Uint8Array>,
  purpose: FilePurpose,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Received> {
  const digest = createHash('sha256');
  const sample = Buffer.alloc(SAMPLE_BYTES);
  let bytes = 0;
  let mediaType: MediaType | undefined;
  for await (const chunk of chunks) {
    if (bytes < SAMPLE_BYTES) sample.set(chunk.subarray(0, SAMPLE_BYTES - bytes), bytes);
    bytes += chunk.byteLength;
    if (bytes > fileLimits.bytes) throw fileTooLarge();
    if (bytes >= SAMPLE_BYTES) mediaType ??= await typeOf(sample, purpose);
    digest.update(chunk);
    await write(chunk);
  }
  if (bytes === 0) throw fileEmpty(purpose);
  mediaType ??= await typeOf(sample.subarray(0, bytes), purpose);
  return { mediaType, bytes, sha256: digest.digest('hex') };
}

async function typeOf(sample: Uint8Array, purpose: FilePurpose): Promise<MediaType> {
  const type = await mediaTypeOf(sample);
  if (type === undefined) throw fileTypeRefused(purpose);
  return type;
}

/** The chunks of a content, and whether an error is the one that the content itself failed with. */
export function fromSource(content: FileContent) {
  const failures: unknown[] = [];
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    if (content instanceof Uint8Array) {
      yield content;
      return;
    }
    try {
      yield* content;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  return { chunks: chunks(), failedWith: (error: unknown) => failures.includes(error) };
}
