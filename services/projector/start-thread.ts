import { Worker } from 'node:worker_threads';
import type { Engines } from '#engines';
import type { ProjectorData, ProjectorThread } from './messages.js';

/** Events and documents of a batch die together: with room for them all the collector has little to copy. */
const YOUNG_MIB = 192;

/** Starts a thread on the engines for the projector, as it is told. */
export function startProjectorThread(
  engines: Pick<Engines, 'share'>,
  told: Omit<ProjectorData, 'engines'>,
): ProjectorThread {
  const handle = engines.share();
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: { ...told, engines: handle } satisfies ProjectorData,
    transferList: handle.transfer,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  return threadOf(worker);
}

/** A worker that runs the projector, as the program sees it. */
export function threadOf(worker: Worker): ProjectorThread {
  return {
    tell: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on('message', listener),
    onEnd: (listener) => {
      let died: Error | undefined;
      worker.on('error', (error: Error) => {
        died = error;
      });
      worker.on('exit', () => listener(died));
    },
  };
}
