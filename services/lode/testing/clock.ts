import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOCK_STEP_MS } from '#clock';
import { mustRun } from '#kernel/testing';
import type { Client } from './client.js';

/** Settings of programs on logs that a test wrote as of long ago: their clock is right all the same. */
export const OF_LONG_AGO = { LODE_CLOCK_AHEAD_DAYS: '36525' } as const;

/** Debian's package libfaketime, which tells a program another time than it is. */
const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** True where a test must run that gives programs another clock. */
export const canSetClocks = mustRun(LIBRARY !== undefined);

/** The clock of the programs of a test. */
export type SetClock = {
  /** What makes a program go by it. */
  readonly env: Readonly<Record<string, string>>;
  /** Puts it so far ahead of the machine's, or behind it, in milliseconds: also for programs that run. */
  readonly set: (aheadMs: number) => void;
};

/** A clock for programs, which is right at first; `folder` is for the file that says how far it is away. */
export function createSetClock(folder: string): SetClock {
  const file = join(folder, 'ahead');
  const set = (aheadMs: number) => {
    const seconds = Math.round(aheadMs / 1_000);
    writeFileSync(`${file}.next`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    renameSync(`${file}.next`, file);
  };
  set(0);
  return {
    env: {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // What passes is measured by clocks that nobody sets, and files bear the time that they were written at.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
      LODE_CLOCK_AHEAD_DAYS: '7',
    },
    set,
  };
}

/** Half of what a clock may step: what passes by the monotonic clock meanwhile makes a step back longer. */
const STEP_MS = CLOCK_STEP_MS / 2;

/**
 * Lets time pass for a program in this process, whose monotonic clock stays: in steps that its clock may take. `set` puts
 * the clock so far ahead of where it was.
 */
export async function passTime(visitor: Client, ms: number, set: (aheadMs: number) => void): Promise<void> {
  for (let passed = 0; passed < ms;) {
    passed = Math.min(ms, passed + STEP_MS);
    set(passed);
    // Whatever it answers: what waits for the read models may be minutes old by that clock.
    await visitor.call('healthReady');
  }
}
