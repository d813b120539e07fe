import { createDecoder, createTurns, type EncodeImage } from './images/index.js';
import { mediaTypeOf, SAMPLE_BYTES, type MediaType } from './media-type.js';
import { fileLimits, type FileMetadata, type FileOwner, type FileStore } from './port.js';
import { purposeRules } from './purposes.js';
import { createRoom } from './room.js';
import { checkQuota, fileEmpty, fileTooLarge, fileTypeRefused } from './rules.js';

/** Images that are received at once: each is held in memory until it is whole. A PDF or a film is stored as it comes. */
export const uploadLimits = { shared: 16, ofOnePerson: 4, all: 64 } as const;

/** Takes what people upload into a store. */
export type Uploads = {
  /**
   * Stores a file for its purpose: an image encoded anew, and what the purpose keeps as it is as it comes. Refuses as `FileStore.put` does,
   * with `file_too_large` also for too many pixels, and with `overloaded` and `rate_limited`. What `content` throws is thrown on.
   */
  readonly take: (content: AsyncIterable<Uint8Array>, owner: FileOwner) => Promise<FileMetadata>;
};

/** The way into a store; `encode` has images decoded, in a process of their own where nothing else is given. */
export function createUploads(
  store: FileStore,
  encode: EncodeImage = createTurns({ decode: createDecoder() }),
): Uploads {
  const room = createRoom(uploadLimits);
  return {
    take: async (content, owner) => {
      // Before anything is received; the store looks again when it knows the size.
      checkQuota(await store.usage(owner), 0, purposeRules[owner.purpose].quota);
      const chunks = content[Symbol.asyncIterator]();
      try {
        const head = await receive(chunks, SAMPLE_BYTES);
        const type = await typeFor(head, owner);
        if (type === purposeRules[owner.purpose].keepsAsItIs)
          return await store.put(following(head, chunks), owner);
        return await room(owner.ownerId, async () => {
          const rest = await receive(chunks, fileLimits.bytes - head.length + 1);
          if (head.length + rest.length > fileLimits.bytes) throw fileTooLarge();
          const asked = { image: Buffer.concat([head, rest]), type, purpose: owner.purpose };
          return store.put(await encode(asked, owner.ownerId), owner);
        });
      } finally {
        await chunks.return?.();
      }
    },
  };
}

/** The type of a file that its purpose takes. */
async function typeFor(head: Uint8Array, { purpose }: FileOwner): Promise<MediaType> {
  if (head.length === 0) throw fileEmpty(purpose);
  const type = await mediaTypeOf(head.subarray(0, SAMPLE_BYTES));
  if (type?.startsWith('image/') === true || (type && type === purposeRules[purpose].keepsAsItIs))
    return type;
  throw fileTypeRefused(purpose);
}

/** The next chunks until there are `bytes` bytes or no more; the last chunk is whole. */
async function receive(chunks: AsyncIterator<Uint8Array>, bytes: number): Promise<Buffer> {
  const received: Uint8Array[] = [];
  for (let size = 0; size < bytes;) {
    const next = await chunks.next();
    if (next.done === true) break;
    received.push(next.value);
    size += next.value.byteLength;
  }
  return Buffer.concat(received);
}

async function* following(
  head: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield head;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
}
