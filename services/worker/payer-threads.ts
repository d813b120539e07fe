import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { BonusBatch, Tally } from '#application';
import type { Engines, EnginesHandle } from '#engines';
import { deserializeError, LodeError } from '#kernel';
import type { FromPayer, PayerData, ToPayer } from './payer-messages.js';
import { BATCHES_UNDER_WAY, type Payers } from './payers.js';

/** Threads at most: with more of them the log's one writer is what a run waits for. */
const THREADS_MAX = 4;
/** Events and states of a batch die together: with room for them all the collector has little to copy. */
const YOUNG_MIB = 192;

export type PayerThreadsOptions = {
  readonly engines: Pick<Engines, 'share'>;
  /** As many as the machine has cores, when left out. */
  readonly threads?: number;
};

type Payer = {
  readonly pay: (batch: BonusBatch) => Promise<Tally>;
  readonly close: () => Promise<void>;
  underWay: number;
};

/**
 * Payers in threads of their own, so that a run uses the cores there are and no command waits for its decisions. They
 * begin when there is something to pay, and end with the run.
 */
export function payerThreads(options: PayerThreadsOptions): Payers {
  const { engines, threads = Math.min(availableParallelism(), THREADS_MAX) } = options;
  const payers: Payer[] = [];

  /** The one with the least to do; a new one while all have something to do and there may be more. */
  function nextPayer(): Payer {
    const [idlest] = payers.toSorted((a, b) => a.underWay - b.underWay);
    if (idlest !== undefined && (idlest.underWay === 0 || payers.length >= threads)) return idlest;
    const payer = startPayer(engines.share());
    payers.push(payer);
    return payer;
  }

  return {
    async pay(batch) {
      const payer = nextPayer();
      payer.underWay += 1;
      try {
        return await payer.pay(batch);
      } finally {
        payer.underWay -= 1;
      }
    },
    atOnce: threads * BATCHES_UNDER_WAY,
    close: async () => {
      await Promise.all(payers.splice(0).map(({ close }) => close()));
    },
  };
}

/** Whoever waits for a batch. */
type Asked = { readonly resolve: (tally: Tally) => void; readonly reject: (error: LodeError) => void };

function startPayer(handle: EnginesHandle): Payer {
  const worker = new Worker(new URL('./payer.js', import.meta.url), {
    workerData: { engines: handle } satisfies PayerData,
    transferList: handle.transfer,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const tell = (message: ToPayer) => worker.postMessage(message);
  const asked = new Map<number, Asked>();
  let batches = 0;
  let ended: LodeError | undefined;

  const end = (why: string) => {
    ended ??= new LodeError('unavailable', `A thread that pays the bonus has ended: ${why}`);
    for (const { reject } of asked.values()) reject(ended);
    asked.clear();
  };
  worker.on('error', (error: Error) => end(error.message));
  worker.on('exit', () => end('it was stopped.'));
  worker.on('message', (message: FromPayer) => {
    const waiting = asked.get(message.batch);
    asked.delete(message.batch);
    if (message.kind === 'paid') waiting?.resolve(message.tally);
    else waiting?.reject(deserializeError(message));
  });

  return {
    pay: (batch) => {
      if (ended !== undefined) return Promise.reject(ended);
      const number = (batches += 1);
      tell({ kind: 'pay', number, batch });
      return new Promise((resolve, reject) => asked.set(number, { resolve, reject }));
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
