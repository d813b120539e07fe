import { Worker } from 'node:worker_threads';
import { deserializeError, isLodeError, LodeError, type SerializedError } from '#kernel';
import { serverOf, withoutUser } from './server.js';
import { answerOf } from './thread.js';
import { unavailable } from './unreachable.js';

/** What the thread answers: whether an append without name and password was let through as far as its revision. */
export type AccessSeen = { readonly anybodyWrites: boolean } | { readonly failure: SerializedError };

/**
 * Looks whether a server that has users lets anybody write all the same, as EventStoreDB does until its access control
 * lists say otherwise. Answers with that as an error to report, or with nothing. Writes nothing: it asks for an append at
 * a revision that no stream has. Throws `unavailable` when the server cannot be asked.
 *
 * The client's bookkeeping is global to a thread, so that this has a thread of its own.
 */
export async function findOpenAccess(url: string): Promise<LodeError | undefined> {
  const server = serverOf(url);
  const { address, hasUser } = server;
  if (!hasUser) return undefined;
  const worker = new Worker(new URL('./access.worker.js', import.meta.url), { workerData: withoutUser(url) });
  try {
    const seen = await answerOf<AccessSeen>(worker);
    if ('failure' in seen) throw deserializeError(seen.failure);
    return seen.anybodyWrites ? openTo(address) : undefined;
  } catch (error) {
    throw isLodeError(error) ? error : unavailable(error, server);
  } finally {
    await worker.terminate();
  }
}

function openTo(address: string): LodeError {
  return new LodeError(
    'not_permitted',
    `EventStoreDB at ${address} lets anybody write who can reach it, without a name and password: let only Lode's user write, by $userStreamAcl in the stream $settings.`,
  );
}
