import { readFileSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;

/** One page in a write-ahead log: where it ends in the file, and whether it ends a commit. */
export type WalFrame = { readonly end: number; readonly isCommit: boolean };

/** The frames of a write-ahead log that was never restarted (sqlite.org/fileformat2.html, section 4). */
export function readWal(file: string): readonly WalFrame[] {
  const bytes = readFileSync(file);
  if (bytes.length < HEADER) return [];
  const size = FRAME_HEADER + bytes.readUInt32BE(8);
  return Array.from({ length: Math.floor((bytes.length - HEADER) / size) }, (_, index) => {
    const start = HEADER + index * size;
    return { end: start + size, isCommit: bytes.readUInt32BE(start + 4) !== 0 };
  });
}
