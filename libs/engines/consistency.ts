import { isLodeError, LodeError, logStart } from '#kernel';
import { describeDiverged, divergedBuilds, walletModels, type Log, type DivergedBuild } from '#projections';
import type { Mismatch, ModelsSnapshot } from './engines.js';
import { compareHead, headMismatch, type Headed, type HeadedLog } from './heads.js';
import type { IdentityEngine } from './identity.js';
import type { LogEngine } from './log.js';
import type { ModelsEngine } from './models.js';

/** What is compared with each other. */
export type Compared = Headed & {
  readonly identity: Pick<IdentityEngine, 'look'>;
  readonly models: Pick<ModelsEngine, 'openSnapshot'>;
};

const RESTORE = 'Restore a backup (docs/how-to/restore.md)';
const noLog: Log & HeadedLog = {
  readAll: async () => [],
  readStream: async () => [],
  head: async () => logStart,
  last: async () => undefined,
  header: async () => undefined,
};

/** Throws `storage_failed` with the gravest thing that does not fit together. Without `written` there is no log. */
export async function refuseMismatch(engines: Compared, written?: Log & HeadedLog): Promise<void> {
  const [mismatch] = await mismatchesIn(engines, written);
  refuse(mismatch);
}

/** Everything that does not fit together, the gravest first. Without `written` there is no log. */
export async function mismatchesIn(
  engines: Compared,
  written: Log & HeadedLog = noLog,
): Promise<readonly Mismatch[]> {
  const lost = await identityMismatch(engines, written);
  const all = [
    lost,
    readModelsMismatch(await divergedIn(engines, written)),
    // Of what is lost altogether the head says nothing more.
    lost === undefined ? headMismatch(await compareHead(engines, written)) : undefined,
  ];
  return all.filter((one) => one !== undefined);
}

/** The builds of the read models that have diverged from the log. Read models that are damaged have none. */
export async function divergedIn(
  { models }: Pick<Compared, 'models'>,
  log: Log,
): Promise<readonly DivergedBuild[]> {
  let live: ModelsSnapshot | undefined;
  let isLogs = false;
  const noted = <T>(reading: Promise<T>) =>
    reading.catch((error: unknown) => {
      isLogs = true;
      throw error;
    });
  const heard: Log = {
    head: () => noted(log.head()),
    header: () => noted(log.header()),
    readAll: (after, limit) => noted(log.readAll(after, limit)),
  };
  try {
    live = await models.openSnapshot();
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
  {
    log,
    identity,
  }: {
    readonly log: Pick<LogEngine, 'name'>;
    readonly identity: Pick<IdentityEngine, 'name' | 'look'>;
  },
  written: Pick<Log, 'head'>,
): Promise<Mismatch | undefined> {
  // Asked first: somebody who can sign in by now is in the log already.
  const found = await identity.look();
  const head = await written.head();
  const todo = `${RESTORE}.`;
  if (head === logStart && found === 'people')
    return {
      what: `${capitalized(identity.name)} holds people, but ${log.name} is missing or empty: it is lost.`,
      todo,
    };
  if (head === logStart || found !== 'missing') return undefined;
  // Another program that begins at the same time makes the identity store, and then writes to the log.
  if ((await identity.look()) !== 'missing') return undefined;
  return {
    what: `The log goes on to position ${BigInt(head).toLocaleString('en')}, but ${identity.name} is missing or empty: without it nobody can sign in and no name can be read.`,
    todo,
  };
}

/** What is wrong with read models that have diverged from the log; undefined when none has. */
export function readModelsMismatch(diverged: readonly DivergedBuild[]): Mismatch | undefined {
  const what = describeDiverged(diverged);
  if (what === undefined) return undefined;
  return {
    what,
    todo: `${RESTORE}, or, to go on with the log as it is, run \`lode rebuild\`, then start again.`,
  };
}

/** Throws `storage_failed` with what is wrong, if anything is. */
export function refuse(mismatch: Mismatch | undefined): void {
  if (mismatch !== undefined) throw new LodeError('storage_failed', `${mismatch.what} ${mismatch.todo}`);
}

/** A name as it begins a sentence. */
export function capitalized(name: string): string {
  return name.startsWith('/') ? name : name.charAt(0).toUpperCase() + name.slice(1);
}
