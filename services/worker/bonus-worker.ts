import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createExecutor, createStateCache } from '#commands';
import { joinEngines } from '#engines';
import { joinGuardedClock, machineClocks } from '#clock';
import { serializeError } from '#kernel';
import { accountDecider } from '#ledger';
import type { BonusWorkerData, FromBonusWorker, ToBonusWorker } from './bonus-worker-messages.js';
import { localBonusWorkers } from './bonus-workers.js';

/** After commands, before the projector, which a run leaves far behind in any case. */
const NICE = 5;

/** A thread that pays the bonus: an executor of accounts beside the program's, on the same log. */
async function serve(
  port: NonNullable<typeof parentPort>,
  { engines, cacheBytes, clock: shared }: BonusWorkerData,
): Promise<void> {
  const say = (message: FromBonusWorker) => port.postMessage(message);
  const store = await joinEngines(engines).openEvents();
  const clock = joinGuardedClock(shared, machineClocks);
  const cache = createStateCache({ bytes: cacheBytes });
  const { pay } = localBonusWorkers(
    createExecutor({ store, cache, decider: accountDecider, clock: clock.now, hold: clock.hold }),
  );

  port.on('message', (message: ToBonusWorker) => {
    if (message.kind === 'close') {
      void store.close().then(() => port.close());
      return;
    }
    const { batchId, batch } = message;
    pay(batch).then(
      (tally) => say({ kind: 'paid', batchId, tally }),
      (error: unknown) => say({ kind: 'failed', batchId, ...serializeError(error) }),
    );
  });
}

if (parentPort !== null) {
  // Where cores are few, commands go first. On Linux this is the thread's own priority; elsewhere it would be the program's.
  if (process.platform === 'linux') setPriority(NICE);
  await serve(parentPort, workerData as BonusWorkerData);
}
