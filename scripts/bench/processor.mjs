// Processor time of a running program, all of its threads together, as the operating system counts it (Linux).
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

/** Ticks of the system's clock a second, in which /proc counts: 100 on every Linux that Node runs on. */
const TICKS = 100;

/** Processor time that a process has used since it began, in seconds; undefined where the system does not tell. */
export function processorTime(pid) {
  const fields = fieldsOf(pid);
  // User and system time.
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** What the system tells of a process from the third field on; undefined where it does not. */
function fieldsOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before, in parentheses, may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * What the processes that this one has started use in `seconds` seconds that begin in `delay` seconds, by the kinds that
 * `kinds` tells by what is in their command lines; empty where the system does not tell.
 */
export async function processorTimesOver(kinds, delay, seconds) {
  const pids = childrenByKind(kinds);
  const each = Object.entries(pids).map(async ([kind, some]) => {
    const times = await Promise.all(some.map((pid) => processorTimeOver(pid, delay, seconds)));
    return [kind, times.reduce((sum, time) => sum + (time ?? 0), 0)];
  });
  return Object.fromEntries(await Promise.all(each));
}

function childrenByKind(kinds) {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const children = pids.filter((pid) => fieldsOf(pid)?.[1] === String(process.pid));
    const lines = children.map((pid) => [pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8')]);
    const ofKind = (words) => lines.filter(([, line]) => line.includes(words)).map(([pid]) => pid);
    return Object.fromEntries(Object.entries(kinds).map(([kind, words]) => [kind, ofKind(words)]));
  } catch {
    return {};
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
