import { readFileSync } from 'node:fs';

const KIBIBYTE = 1_024;

/** What a process and all that it started take of memory, in bytes; 0 of one that has ended. */
export function memoryOf(pid: number): number {
  try {
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const [, own] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const ofStarted = started === '' ? [] : started.split(' ').map((one) => memoryOf(Number(one)));
    return ofStarted.reduce((sum, bytes) => sum + bytes, Number(own ?? 0) * KIBIBYTE);
  } catch {
    return 0;
  }
}
