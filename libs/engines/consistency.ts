import { identitiesIn } from '#identity/sqlite';
import { isLodeError, LodeError, logStart } from '#kernel';
import { describeDiverged, divergedBuilds, walletModels, type Log, type DivergedBuild } from '#projections';
import { openSqliteReadStoreSnapshot } from '#read-store/sqlite';
import type { Mismatch, ModelsSnapshot } from './engines.js';
import type { Places } from './places.js';

const RESTORE = 'Restore a backup (docs/how-to/restore.md)';
const noLog: Log = { readAll: async () => [], head: async () => logStart };

/** Throws `storage_failed` with the gravest thing that does not fit together in a folder. Without `log` there is none. */
export async function refuseMismatch(places: Places, log?: Log): Promise<void> {
  const [mismatch] = await mismatchesIn(places, log);
  refuse(mismatch);
}

/** Everything that does not fit together in a folder, the gravest first. Without `log` there is none. */
export async function mismatchesIn(places: Places, log = noLog): Promise<readonly Mismatch[]> {
  const all = [await identityMismatch(places, log), readModelsMismatch(await divergedIn(places, log))];
  return all.filter((one) => one !== undefined);
}

/** The builds of a folder's read models that have diverged from its log. Read models that are damaged have none. */
export async function divergedIn({ readModels }: Places, log: Log): Promise<readonly DivergedBuild[]> {
  let live: ModelsSnapshot | undefined;
  let isLogs = false;
  const noted = <T>(reading: Promise<T>) =>
    reading.catch((error: unknown) => {
      isLogs = true;
      throw error;
    });
  const heard: Log = {
    head: () => noted(log.head()),
    readAll: (after, limit) => noted(log.readAll(after, limit)),
  };
  try {
    live = openSqliteReadStoreSnapshot({ file: readModels });
    return live === undefined ? [] : await divergedBuilds(heard, live, walletModels);
  } catch (error) {
    // Whoever opens them for writing sets them aside, and looks again.
    if (!isLogs && isLodeError(error) && error.code === 'storage_failed') return [];
    throw error;
  } finally {
    await live?.close();
  }
}

/** What is wrong with the identity store beside the log; undefined when nothing is. */
export async function identityMismatch(
  places: Pick<Places, 'log' | 'identity'>,
  written: Pick<Log, 'head'>,
): Promise<Mismatch | undefined> {
  const { log, identity } = places;
  // Asked first: somebody who can sign in by now is in the log already.
  const found = identitiesIn({ file: identity });
  const head = await written.head();
  const todo = `${RESTORE}.`;
  if (head === logStart && found === 'people')
    return { what: `${identity} holds people, but the log ${log} is missing or empty: it is lost.`, todo };
  if (head === logStart || found !== 'missing') return undefined;
  return {
    what: `The log goes on to position ${BigInt(head).toLocaleString('en')}, but ${identity} is missing or empty: without it nobody can sign in and no name can be read.`,
    todo,
  };
}

/** What is wrong with read models that have diverged from the log; undefined when none has. */
export function readModelsMismatch(diverged: readonly DivergedBuild[]): Mismatch | undefined {
  const what = describeDiverged(diverged);
  if (what === undefined) return undefined;
  return {
    what,
    todo: `${RESTORE}, or, to go on with the log as it is, run \`npx lode rebuild\`, then start again.`,
  };
}

/** Throws `storage_failed` with what is wrong, if anything is. */
export function refuse(mismatch: Mismatch | undefined): void {
  if (mismatch !== undefined) throw new LodeError('storage_failed', `${mismatch.what} ${mismatch.todo}`);
}
