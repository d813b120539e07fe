import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { joinEngines } from '#engines';
import type { ProjectorData } from './messages.js';
import { serveProjector } from './serve.js';
import { systemTimers, thisMachine } from '#kernel';

/* The projector in a thread of its own, so that folding documents never delays a command. */
if (parentPort !== null) {
  const { engines, sampling, isBesideCommands } = workerData as ProjectorData;
  // Where cores are few, commands go first. On Linux this is the thread's own priority; elsewhere it would be the program's.
  if (isBesideCommands && process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const own = { ...thisMachine, timers: systemTimers };
  await serveProjector(parentPort, joinEngines(engines), own, sampling);
}
