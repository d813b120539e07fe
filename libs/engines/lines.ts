import { LodeError } from '#kernel';

/** The longest line that is taken, in bytes: more than any append holds. */
export const LINE_MAX = 4 * 1_024 * 1_024;
const NEWLINE = 0x0a;

export type Line = {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly bytes: number;
  /** False for a last one that no newline ends: it may be cut off. */
  readonly isWhole: boolean;
};

/** The lines of a stream of bytes. Parted by newlines alone: JSON may hold what others take for the end of a line. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  const line = (isWhole: boolean): Line => {
    number += 1;
    const text = Buffer.concat(parts).toString('utf8');
    const made = { number, text, bytes, isWhole };
    parts = [];
    bytes = 0;
    return made;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, end === -1 ? undefined : end);
      parts.push(part);
      bytes += part.byteLength;
      if (bytes > LINE_MAX) {
        throw new LodeError('storage_failed', `Line ${number + 1} is longer than any event can be.`);
      }
      if (end === -1) break;
      yield line(true);
      from = end + 1;
    }
  }
  if (bytes > 0) yield line(false);
}
