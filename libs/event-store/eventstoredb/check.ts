import { Worker } from 'node:worker_threads';
import { isLodeError } from '#kernel';
import { findOpenAccess } from './access.js';
import { serverOf } from './server.js';
import { answerOf } from './thread.js';
import { unavailable } from './unreachable.js';

/** What is wrong, in the words of the error that it would be, and what to do about it. */
export type EventStoreFinding = { readonly what: string; readonly todo: string };

/** What the thread answers: what is wrong, a sentence each. */
export type Checked = { readonly said: readonly string[] };

const NOT_USABLE = 'Mend that first: without it Lode does not start.';
const OPEN = 'Until then keep the server where only Lode can reach it.';

/**
 * Looks what is wrong with a server before a program uses it, or beside one that does: whether it can be reached, with
 * this certificate and this password, is new enough, and lets Lode's user and nobody else read and write. Writes nothing.
 * It has a thread of its own, since the client's bookkeeping is global to a thread.
 */
export async function checkEventStoreDb(url: string): Promise<readonly EventStoreFinding[]> {
  try {
    const said = await checkAsUser(url);
    if (said.length > 0) return said.map((what) => ({ what, todo: NOT_USABLE }));
    const open = await findOpenAccess(url);
    return open === undefined ? [] : [{ what: open.message, todo: OPEN }];
  } catch (error) {
    if (isLodeError(error)) return [{ what: error.message, todo: NOT_USABLE }];
    throw error;
  }
}

async function checkAsUser(url: string): Promise<readonly string[]> {
  const worker = new Worker(new URL('./check.worker.js', import.meta.url), { workerData: url });
  try {
    return (await answerOf<Checked>(worker)).said;
  } catch (error) {
    throw unavailable(error, serverOf(url));
  } finally {
    await worker.terminate();
  }
}
