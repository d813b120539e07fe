import { LodeError, type Clock, type Timers } from '#kernel';
import { fileLimits, type FileStore } from './port.js';

/** What all uploaded files together may take. */
export type StorageBounds = {
  /** Bytes of all of them. */
  readonly bytes: number;
  /** Bytes that stay free on the disk that has them, or a twentieth of a small disk: the log needs them. */
  readonly free: number;
};

/** The disk that has the files; undefined where they are elsewhere, or it does not say. */
export type FilesDisk = () => { readonly freeBytes: number; readonly totalBytes: number } | undefined;

/** Whether there is room for uploads, which is bounded, so that the log always has some. */
export type Storage = {
  /** Refuses with `storage_full` while no upload is taken. */
  readonly check: () => Promise<void>;
  /** An upload of so many bytes was taken. */
  readonly add: (bytes: number) => void;
  /** Why none is taken, as far as is known without looking through the files; undefined while there is room. */
  readonly full: () => string | undefined;
};

/** Files are counted again after so long, in milliseconds, and where that takes long, after a hundred times that. */
const COUNT_EVERY_MS = 60_000;
const COUNT_SHARE = 100;
/** Of a disk so much is kept free at most. */
const DISK_SHARE = 20;
const MEBIBYTE = 1_024 * 1_024;

type Counted = { readonly bytes: number; readonly at: number; readonly tookMs: number };

/**
 * Bounds the files of a store. They are counted from time to time, and what this program takes meanwhile is added: what
 * other programs take or somebody deletes is seen with the next count, and uploads that are under way when the last room
 * is taken still end.
 */
export function createStorage(
  files: Pick<FileStore, 'list'>,
  bounds: StorageBounds,
  {
    disk,
    monotonic,
    timers,
  }: { readonly disk: FilesDisk; readonly monotonic: Clock; readonly timers: Pick<Timers, 'yieldNow'> },
): Storage {
  let counted: Counted | undefined;
  let added = 0;
  let counting: Promise<void> | undefined;

  async function count(): Promise<void> {
    const began = monotonic();
    added = 0;
    const bytes = await bytesIn(files, timers);
    counted = { bytes, at: monotonic(), tookMs: monotonic() - began };
  }

  const isDue = () =>
    counted === undefined ||
    monotonic() - counted.at >= Math.max(COUNT_EVERY_MS, COUNT_SHARE * counted.tookMs);
  const full = () => {
    const room = disk();
    if (room !== undefined && room.freeBytes < Math.min(bounds.free, room.totalBytes / DISK_SHARE))
      return `the disk of the uploaded files has ${mebibytes(room.freeBytes)} MiB free (LODE_FREE_MIB)`;
    if ((counted?.bytes ?? 0) + added < bounds.bytes) return undefined;
    return `uploaded files take ${mebibytes(bounds.bytes)} MiB or more (LODE_FILES_MIB)`;
  };

  return {
    check: async () => {
      if (isDue()) await (counting ??= count().finally(() => (counting = undefined)));
      const why = full();
      if (why !== undefined) throw new LodeError('storage_full', `No upload is taken: ${why}.`);
    },
    add: (bytes) => {
      added += bytes;
    },
    full,
  };
}

async function bytesIn(files: Pick<FileStore, 'list'>, timers: Pick<Timers, 'yieldNow'>): Promise<number> {
  let sum = 0;
  for (let after = ''; ;) {
    const page = await files.list({ after, limit: fileLimits.page });
    sum += page.reduce((before, { bytes }) => before + bytes, 0);
    const last = page.at(-1);
    if (last === undefined || page.length < fileLimits.page) return sum;
    after = last.fileId;
    // Embedded, a page is read at once, and there may be thousands.
    await timers.yieldNow();
  }
}

function mebibytes(bytes: number): string {
  return Math.floor(bytes / MEBIBYTE).toLocaleString('en');
}
