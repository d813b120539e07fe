import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { unwritable } from './lock.js';

/** How long the disk is measured, in milliseconds, and with what. */
const MEASURE_MS = 300;
const BLOCK_BYTES = 4_096;
/** A commit of the log takes so much at most. */
const ROOM_MIN_BYTES = 1_048_576;

/** What a folder of the disk has; null for a rate that could not be measured. */
export type Disk = {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly fsyncsPerSecond: number | null;
};

/** The room on the disk that has a folder. */
export function roomOn(folder: string): Pick<Disk, 'freeBytes' | 'totalBytes'> {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** True while a disk that has a folder takes what a program writes at a time; also when it does not say. */
export function hasRoomOn(folder: string): boolean {
  return (knownRoomOn(folder)?.freeBytes ?? ROOM_MIN_BYTES) >= ROOM_MIN_BYTES;
}

/** The room on the disk that has a folder; undefined when that does not say. */
export function knownRoomOn(folder: string): ReturnType<typeof roomOn> | undefined {
  try {
    return roomOn(folder);
  } catch {
    return undefined;
  }
}

/**
 * How often a second the disk that has a folder takes 4 KiB for good, by the median of many times: other programs' pauses
 * are not the disk's. Throws `storage_failed` or `storage_full` when it takes nothing.
 */
export function fsyncRateOf(folder: string): number {
  try {
    return measured(folder);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function measured(folder: string): number {
  const own = mkdtempSync(join(folder, 'doctor-'));
  let fd: number | undefined;
  try {
    fd = openSync(join(own, 'fsync'), 'w');
    const block = Buffer.alloc(BLOCK_BYTES, 1);
    const began = performance.now();
    const times: number[] = [];
    for (let from = began; from - began < MEASURE_MS;) {
      writeSync(fd, block, 0, block.length, 0);
      fdatasyncSync(fd);
      const now = performance.now();
      times.push(now - from);
      from = now;
    }
    const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? MEASURE_MS;
    return Math.round(1_000 / median);
  } finally {
    if (fd !== undefined) closeSync(fd);
    rmSync(own, { recursive: true });
  }
}
