import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { deserializeError, type SerializedError } from '#kernel';

/** Has what was erased from a file overwritten. */
export type Scrubbing = {
  /** Overwrites all that was erased by now. Rejects with `unavailable` when a reader needs what was: then it is to be repeated. */
  readonly scrub: () => Promise<void>;
  /** Resolves when nobody overwrites: until then the file can't be written. */
  readonly over: () => Promise<void>;
};

/** What the thread says when it has ended: nothing, or why it could not. */
export type Scrubbed = { readonly failure?: SerializedError };

/** Overwrites on a thread of its own, so that only what writes the file waits; once for all who ask before it begins. */
export function createScrubbing(file: string): Scrubbing {
  let next: Promise<void> | undefined;
  let underWay: Promise<void> | undefined;
  const over = async () => {
    while (underWay !== undefined) await underWay.catch(() => undefined);
  };
  const begin = async () => {
    try {
      await over();
      const worker = new Worker(new URL('./scrub.worker.js', import.meta.url), { workerData: file });
      await once(worker, 'online');
      underWay = answerOf(worker).finally(() => (underWay = undefined));
    } finally {
      // Whoever asks from here on may have erased what this one doesn't see any more.
      next = undefined;
    }
    await underWay;
  };
  return { scrub: () => (next ??= begin()), over };
}

async function answerOf(worker: Worker): Promise<void> {
  const answered = once(worker, 'message') as Promise<[Scrubbed]>;
  worker.postMessage('begin');
  const [{ failure }] = await answered;
  if (failure !== undefined) throw deserializeError(failure);
}
