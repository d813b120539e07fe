import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

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

/**
 * Starts a thread that overwrites what was deleted or replaced in a database: it writes the file anew, as what a page had
 * before it was divided stays in it, and cuts off the write-ahead log. What it gives begins that, of which nothing
 * is written meanwhile: false when somebody reads an older state, and it is to be repeated. Rejects with errors of SQLite.
 */
export async function startOverwriter(): Promise<(what: Overwriting) => Promise<boolean>> {
  const worker = new Worker(new URL('./overwrite.worker.js', import.meta.url));
  await once(worker, 'online');
  return async (what) => {
    const answered = once(worker, 'message') as Promise<[Overwritten]>;
    worker.postMessage(what);
    const [said] = await answered;
    if (said.kind === 'failed') throw Object.assign(new Error(said.message), { errcode: said.errcode });
    return said.kind === 'done';
  };
}
