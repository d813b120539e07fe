// Processor time of a running program, all of its threads together, as the operating system counts it (Linux).
import { readFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

/** Ticks of the system's clock a second, in which /proc counts: 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Processor time that a process has used since it began, in seconds; undefined where the system does not tell. */
export function processorTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold spaces; user and system time are the 12th and 13th fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return undefined;
  }
}

/** What a process uses in `seconds` seconds that begin in `delay` seconds; undefined where the system does not tell. */
export async function processorTimeOver(pid, delay, seconds) {
  await after(delay * 1_000);
  const before = processorTime(pid);
  await after(seconds * 1_000);
  const now = processorTime(pid);
  return before === undefined || now === undefined ? undefined : now - before;
}

/** Resident memory of a process in MiB; undefined where the system does not tell. */
export function residentMemory(pid) {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Number(kib) / 1_024;
  } catch {
    return undefined;
  }
}
