import { uptime } from 'node:os';
import { hrtime } from 'node:process';
import { systemClock } from '#kernel';
import type { MachineClocks } from './guarded-clock.js';

const MS = 1_000;
const NS = 1_000_000;

/** The clocks of this machine. */
export const machineClocks: MachineClocks = {
  wall: systemClock,
  monotonic: () => {
    const [seconds, nanoseconds] = hrtime();
    return seconds * MS + nanoseconds / NS;
  },
  uptime: () => uptime() * MS,
};
