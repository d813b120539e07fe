import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { BonusBatch, Tally } from '#application';
import type { Engines } from '#engines';
import type { GuardedClock } from '#clock';
import { deserializeError, LodeError } from '#kernel';
import type { BonusWorkerData, FromBonusWorker, ToBonusWorker } from './bonus-worker-messages.js';
import { BATCHES_UNDER_WAY, type BonusWorkers } from './bonus-workers.js';

/** Threads at most: with more of them the log's one writer is what a run waits for. */
const THREADS_MAX = 4;
/** Events and states of a batch die together: with room for them all the collector has little to copy. */
const YOUNG_MIB = 192;
/** Of the memory that the program's states may take, what those of each thread may: a run hardly meets an account twice. */
const CACHE_SHARE = 1 / 8;

export type BonusWorkerThreadsOptions = {
  readonly engines: Pick<Engines, 'share'>;
  /** Memory that the states of the program may take. Each thread takes a share of as much beside it. */
  readonly stateCacheBytes: number;
  /** The program's clock. */
  readonly clock: Pick<GuardedClock, 'shared'>;
  /** As many as the machine has cores, when left out. */
  readonly threads?: number;
};

type BonusWorker = {
  readonly pay: (batch: BonusBatch) => Promise<Tally>;
  readonly close: () => Promise<void>;
  underWay: number;
};

/**
 * Bonus workers in threads of their own, so that a run uses the cores there are and no command waits for its decisions. They
 * begin when there is something to pay, and end with the run.
 */
export function bonusWorkerThreads(options: BonusWorkerThreadsOptions): BonusWorkers {
  const {
    engines,
    stateCacheBytes,
    clock,
    threads = Math.min(availableParallelism(), THREADS_MAX),
  } = options;
  const workers: BonusWorker[] = [];

  /** The one with the least to do; a new one while all have something to do and there may be more. */
  function nextWorker(): BonusWorker {
    const [idlest] = workers.toSorted((a, b) => a.underWay - b.underWay);
    if (idlest !== undefined && (idlest.underWay === 0 || workers.length >= threads)) return idlest;
    const worker = startWorker({
      engines: engines.share(),
      cacheBytes: Math.ceil(stateCacheBytes * CACHE_SHARE),
      clock: clock.shared,
    });
    workers.push(worker);
    return worker;
  }

  return {
    async pay(batch) {
      const worker = nextWorker();
      worker.underWay += 1;
      try {
        return await worker.pay(batch);
      } finally {
        worker.underWay -= 1;
      }
    },
    concurrency: threads * BATCHES_UNDER_WAY,
    close: async () => {
      await Promise.all(workers.splice(0).map(({ close }) => close()));
    },
  };
}

/** Whoever waits for a batch. */
type PendingBatch = { readonly resolve: (tally: Tally) => void; readonly reject: (error: LodeError) => void };

function startWorker(data: BonusWorkerData): BonusWorker {
  const worker = new Worker(new URL('./bonus-worker.js', import.meta.url), {
    workerData: data,
    transferList: data.engines.transfer,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const tell = (message: ToBonusWorker) => worker.postMessage(message);
  const asked = new Map<number, PendingBatch>();
  let batches = 0;
  let ended: LodeError | undefined;

  const end = (why: string) => {
    const message = `A thread that pays the bonus has ended: ${why}`;
    ended ??= new LodeError('unavailable', message);
    // What it was asked for may be done.
    for (const { reject } of asked.values()) reject(new LodeError('unknown_outcome', message));
    asked.clear();
  };
  worker.on('error', (error: Error) => end(error.message));
  worker.on('exit', () => end('it was stopped.'));
  worker.on('message', (message: FromBonusWorker) => {
    const waiting = asked.get(message.batchId);
    asked.delete(message.batchId);
    if (message.kind === 'paid') waiting?.resolve(message.tally);
    else waiting?.reject(deserializeError(message));
  });

  return {
    pay: (batch) => {
      if (ended !== undefined) return Promise.reject(ended);
      const batchId = (batches += 1);
      tell({ kind: 'pay', batchId, batch });
      return new Promise((resolve, reject) => asked.set(batchId, { resolve, reject }));
    },
    async close() {
      if (ended !== undefined) return;
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      tell({ kind: 'close' });
      await exited;
    },
    underWay: 0,
  };
}
