import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { plainFailure } from '#kernel';

/** What of a database is to be overwritten. */
export type Overwriting = {
  readonly file: string;
  /** A table that has a row while something is to be, and none afterwards; where it has none, the write-ahead log alone is cut off. */
  readonly notedIn?: string;
};

/** What the thread says at its end. */
export type Overwritten =
  | { readonly kind: 'done' | 'read' }
  | { readonly kind: 'failed'; readonly message: string; readonly errcode: number | undefined };

const THREAD = new URL('./overwrite.worker.js', import.meta.url);

/**
 * Starts a thread that overwrites what was deleted or replaced in a database: it writes the file anew, as what a page had
 * before it was divided stays in it, and cuts off the write-ahead log. What it gives begins that, of which nothing
 * is written meanwhile: false when somebody reads an older state, and it is to be repeated. Rejects with errors of SQLite, and
 * with `unavailable` when the thread ends before it answers, as for want of memory.
 */
export async function startOverwriter(thread = THREAD): Promise<(what: Overwriting) => Promise<boolean>> {
  const worker = threadOf(thread);
  // What came of it is settled by the first of these: an answer that was sent is told before the end.
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Overwritten>();
  worker
    .once('message', resolve)
    .once('error', (cause) => reject(notOverwritten(cause)))
    .once('exit', () => reject(notOverwritten()));
  await Promise.race([outcome, once(worker, 'online')]);
  return async (what) => {
    worker.postMessage(what);
    const said = await outcome;
    if (said.kind === 'failed') throw Object.assign(new Error(said.message), { errcode: said.errcode });
    return said.kind === 'done';
  };
}

function threadOf(thread: URL): Worker {
  try {
    return new Worker(thread);
  } catch (cause) {
    throw notOverwritten(cause);
  }
}

function notOverwritten(cause?: unknown) {
  return plainFailure('unavailable', 'What was erased is not yet overwritten. Please repeat.', { cause });
}
