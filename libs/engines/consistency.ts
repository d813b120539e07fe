import { existsSync } from 'node:fs';
import { openSqliteEventStore, type SqliteEventStore } from '#event-store/sqlite';
import { identitiesIn } from '#identity/sqlite';
import { isLodeError, LodeError, logStart } from '#kernel';
import { describeStrayed, strayedBuilds, walletModels, type Log, type Strayed } from '#projections';
import { openSqliteReadStoreSnapshot, type SqliteReadStoreSnapshot } from '#read-store/sqlite';
import type { Places } from './places.js';

/** What is wrong with the files of a data folder as a whole, and what to do about it. */
type Mismatch = { readonly what: string; readonly todo: string };

const RESTORE = 'Restore a backup (docs/how-to/restore.md)';
const noLog: Log = { readAll: async () => [], head: async () => logStart };

/**
 * Opens the log of a data folder, which is made when there is none. Throws `storage_failed` when the folder is not whole:
 * when the log or the identity store is lost while the other is there, or the read models have seen what the log does not
 * have. To be done before anything else of the folder is opened, because that makes what is missing.
 */
export async function openWholeLog(places: Places): Promise<SqliteEventStore> {
  // A log that is lost leaves its place as it was: its write-ahead log may still be there for somebody to look at.
  if (!existsSync(places.log)) await refuseMismatch(places);
  const eventStore = await openSqliteEventStore({ file: places.log });
  try {
    await refuseMismatch(places, eventStore);
    return eventStore;
  } catch (error) {
    await eventStore.close();
    throw error;
  }
}

async function refuseMismatch(places: Places, log?: Log): Promise<void> {
  const [mismatch] = await mismatchesIn(places, log);
  refuse(mismatch);
}

/** Everything that does not fit together in a folder, the gravest first. Without `log` there is none. */
export async function mismatchesIn(places: Places, log = noLog): Promise<readonly Mismatch[]> {
  const all = [await identityMismatch(places, log), readModelsMismatch(await strayedIn(places, log))];
  return all.filter((one) => one !== undefined);
}

/** The builds of a folder's read models that have strayed from its log. Read models that are damaged have none. */
export async function strayedIn({ readModels }: Places, log: Log): Promise<readonly Strayed[]> {
  let live: SqliteReadStoreSnapshot | undefined;
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
    return live === undefined ? [] : await strayedBuilds(heard, live, walletModels);
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

/** What is wrong with read models that have strayed from the log; undefined when none has. */
export function readModelsMismatch(strayed: readonly Strayed[]): Mismatch | undefined {
  const what = describeStrayed(strayed);
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
