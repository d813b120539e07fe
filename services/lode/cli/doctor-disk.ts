import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { unwritable } from '#engines';
import { look, type Finding } from './finding.js';
import { size } from './output.js';

/** Below these it is time to do something. */
const FREE_BYTES_LEAST = 1_024 ** 3;
const FREE_SHARE_LEAST = 0.05;
const FSYNCS_LEAST = 200;
/** How long the disk is measured, in milliseconds, and with what. */
const MEASURE_MS = 300;
const BLOCK_BYTES = 4_096;

/** What a folder of the disk has; null for a rate that could not be measured. */
export type Disk = {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly fsyncsPerSecond: number | null;
};

/** Looks at the disk that has the folder, and whether it takes anything. */
export async function lookAtDisk(
  folder: string,
): Promise<{ readonly disk: Disk | undefined; readonly findings: readonly Finding[] }> {
  const space = await look('See whether the disk is there.', () => statfsSync(folder));
  const rate = await look('Without that Lode does not start, and one that runs refuses commands.', () => {
    try {
      return fsyncRate(folder);
    } catch (error) {
      throw unwritable(folder, error);
    }
  });
  const failures = [...space.findings, ...rate.findings];
  if (space.found === undefined) return { disk: undefined, findings: failures };
  const { bavail, blocks, bsize } = space.found;
  const disk = {
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    fsyncsPerSecond: rate.found ?? null,
  };
  return { disk, findings: [...failures, ...aboutDisk(disk)] };
}

/** The disk in one line. */
export function describeDisk({ freeBytes, totalBytes, fsyncsPerSecond }: Disk): string {
  const takes =
    fsyncsPerSecond === null ? '' : ` and takes ${fsyncsPerSecond.toLocaleString('en')} fsyncs a second`;
  return `The disk has ${size(freeBytes)} of ${size(totalBytes)} free${takes}.`;
}

/** How often a second the disk takes 4 KiB for good, by the median of many times: other programs' pauses are not the disk's. */
function fsyncRate(folder: string): number {
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

function aboutDisk({ freeBytes, totalBytes, fsyncsPerSecond }: Disk): readonly Finding[] {
  const findings: Finding[] = [];
  if (freeBytes < FREE_BYTES_LEAST || freeBytes < totalBytes * FREE_SHARE_LEAST) {
    findings.push({
      what: `Only ${size(freeBytes)} are free: when the disk is full, commands are refused.`,
      todo: 'Make room, or move the data folder to a larger disk.',
    });
  }
  if (fsyncsPerSecond !== null && fsyncsPerSecond < FSYNCS_LEAST) {
    findings.push({
      what: `The disk takes only ${fsyncsPerSecond} fsyncs a second: every command waits for one.`,
      todo: 'Use a disk with a write cache that survives a power cut.',
    });
  }
  return findings;
}
