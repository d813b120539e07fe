import { spawnSync } from 'node:child_process';

/** True where what a test needs is there. In CI it is always true: what is missing there is a failure, not a skip. */
export function mustRun(isThere: boolean): boolean {
  return isThere || process.env['CI'] !== undefined;
}

/** True where a test must run that has strace fail the calls of a program: it takes strace, and leave to trace. */
export function canTrace(): boolean {
  return mustRun(spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0);
}
