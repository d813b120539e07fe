import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ByteRange, FileMetadata } from '#files';
import { LodeError, type Timers } from '#kernel';
import { s3Error } from './errors.js';

/** A file, or some bytes of it. */
export type Wanted = { readonly file: FileMetadata; readonly range: ByteRange | undefined };

/** How many bytes are wanted. */
export function lengthOf(file: FileMetadata, range: ByteRange | undefined): number {
  return range === undefined ? file.bytes : range.last - range.first + 1;
}

/**
 * A file's content as it comes, which ends only when it is whole: its last bytes are given after its length and SHA-256
 * were compared. One that is cut off, or stands still for `stalledMs` while it is asked for, fails with `unavailable`,
 * one that is not what was stored with `storage_failed`. Of some bytes the length alone is compared.
 */
export function download(
  body: Readable,
  wanted: Wanted,
  {
    stalledMs,
    timers,
    bucket,
  }: { readonly stalledMs: number; readonly timers: Timers; readonly bucket: string },
): Readable {
  const stalled = Object.assign(new Error('no more bytes came'), { code: 'ETIMEDOUT' });
  const chunks = checked(body, wanted, async (next) => {
    const cancel = timers.after(stalledMs, () => body.destroy(stalled));
    try {
      return await next();
    } finally {
      cancel();
    }
  });
  return new Readable({
    read() {
      chunks.next().then(
        ({ value, done }) => this.push(done === true ? null : value),
        (error: unknown) => this.destroy(asError(s3Error(error, bucket))),
      );
    },
    destroy(error, done) {
      body.destroy();
      done(error);
    },
  });
}

/** The chunks of a body, the last of them once all of them together are the file. */
async function* checked(
  body: Readable,
  { file, range }: Wanted,
  waiting: <T>(next: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Uint8Array, void> {
  const digest = createHash('sha256');
  const length = lengthOf(file, range);
  const received: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  let bytes = 0;
  let held: Uint8Array | undefined;
  for (;;) {
    const next = await waiting(() => received.next());
    if (next.done === true) break;
    bytes += next.value.byteLength;
    if (bytes > length) throw damaged(file);
    digest.update(next.value);
    if (held !== undefined) yield held;
    held = next.value;
  }
  if (bytes < length)
    throw Object.assign(new Error(`${bytes} of ${length} bytes came`), { code: 'ECONNRESET' });
  if (range === undefined && digest.digest('hex') !== file.sha256) throw damaged(file);
  if (held !== undefined) yield held;
}

/** What is in the bucket is not what was stored. */
export function damaged({ fileId }: FileMetadata): LodeError {
  return new LodeError('storage_failed', `The stored file ${fileId} is damaged.`);
}

function asError(error: unknown): Error {
  return Error.isError(error) ? error : new Error(String(error));
}
