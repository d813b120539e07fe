import type { Disk, Maintenance } from '#engines';
import { look, type Finding } from './finding.js';
import { size } from './output.js';

/** Below these it is time to do something. */
const FREE_BYTES_LEAST = 1_024 ** 3;
const FREE_SHARE_LEAST = 0.05;
const FSYNCS_LEAST = 200;
/** Looks at the disk that has the folder, and whether it takes anything. */
export async function lookAtDisk(
  maintenance: Pick<Maintenance, 'disk' | 'fsyncRate'>,
): Promise<{ readonly disk: Disk | undefined; readonly findings: readonly Finding[] }> {
  const space = await look('See whether the disk is there.', maintenance.disk);
  const rate = await look(
    'Without that Lode does not start, and one that runs refuses commands.',
    maintenance.fsyncRate,
  );
  const failures = [...space.findings, ...rate.findings];
  if (space.found === undefined) return { disk: undefined, findings: failures };
  const disk = { ...space.found, fsyncsPerSecond: rate.found ?? null };
  return { disk, findings: [...failures, ...aboutDisk(disk)] };
}

/** The disk in one line. */
export function describeDisk({ freeBytes, totalBytes, fsyncsPerSecond }: Disk): string {
  const takes =
    fsyncsPerSecond === null ? '' : ` and takes ${fsyncsPerSecond.toLocaleString('en')} fsyncs a second`;
  return `The disk has ${size(freeBytes)} of ${size(totalBytes)} free${takes}.`;
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
