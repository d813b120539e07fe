import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { LodeError, plainFailure } from '#kernel';
import { holdSnapshot, markIfDamaged, mayPass, removeDatabase, setAsideName, startOverwriter } from '#sqlite';
import type { Discarded, Document, ListQuery, ReadStore, ReadStoreReader } from '../port.js';
import { asPortError, openForReading, openForWriting } from './file.js';
import { createQueries } from './queries.js';
import { createWrites } from './writes.js';

export type SqliteReadStoreOptions = {
  readonly file: string;
  /** Told when the file was damaged or of another format and an empty one was begun: everything is built again. */
  readonly onDiscarded?: (discarded: Discarded) => void;
  /** The most pages of 8 KiB that the file may have; as many as the disk holds when left out. */
  readonly pagesMax?: number;
};

/**
 * Read models in one SQLite file, for the one thread that writes them. Documents and checkpoint are one transaction. A
 * power cut may lose the last transactions, documents and checkpoint together; they are then folded again.
 */
export function openSqliteReadStore(options: SqliteReadStoreOptions): ReadStore {
  const { file, onDiscarded = () => {}, pagesMax } = options;
  const database = openForWriting(file, onDiscarded);
  if (pagesMax !== undefined) database.exec(`PRAGMA max_page_count = ${Math.trunc(pagesMax)}`);
  const guard = guardFor(file);
  const queries = createQueries(database);
  const writes = createWrites(database);
  return {
    get: guard(queries.get),
    getMany: guard(queries.getMany),
    list: guard(queries.list),
    keys: guard(queries.keys),
    checkpoint: guard(queries.checkpoint),
    builds: guard(queries.builds),
    begin: guard(writes.begin),
    read: guard(writes.read),
    write: guard(writes.write),
    activate: guard(writes.activate),
    retire: guard(writes.retire),
    discard: guard(writes.discard),
    overwrite: guard(() => overwrite(file)),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

/**
 * The queries of the same file, for any other thread or process. The file may appear, and builds may come, swap and go,
 * at any time; it must not be moved aside meanwhile, so open the writer first.
 */
export function openSqliteReadStoreReader({ file }: { readonly file: string }): ReadStoreReader {
  const guard = guardFor(file);
  let open: { readonly queries: ReturnType<typeof createQueries>; readonly close: () => void } | undefined;
  let closed = false;

  const queries = () => {
    if (open !== undefined) return open.queries;
    const database = closed ? undefined : openForReading(file);
    if (database === undefined) throw new LodeError('unavailable', 'The read models are not there yet.');
    open = {
      queries: createQueries(database),
      close: () => {
        database.close();
      },
    };
    return open.queries;
  };

  return {
    get: guard(async <Doc extends Document>(collection: string, id: string) =>
      queries().get<Doc>(collection, id),
    ),
    getMany: guard(async <Doc extends Document>(collection: string, ids: readonly string[]) =>
      queries().getMany<Doc>(collection, ids),
    ),
    list: guard(async <Doc extends Document>(collection: string, query: ListQuery) =>
      queries().list<Doc>(collection, query),
    ),
    keys: guard(async (collection: string, query: ListQuery) => queries().keys(collection, query)),
    checkpoint: guard(async (collection: string) => queries().checkpoint(collection)),
    builds: guard(async () => queries().builds()),
    close: async () => {
      closed = true;
      open?.close();
      open = undefined;
    },
  };
}

/** The read models of a file as they stood at one moment. */
export type SqliteReadStoreSnapshot = Pick<ReadStoreReader, 'get' | 'getMany' | 'list' | 'builds' | 'close'>;

/**
 * The file as it is now, however long it is looked at: for tools that compare. Undefined while there is none of this
 * format. The write-ahead log grows meanwhile, so close it soon. Throws the port's errors, and leaves a damaged file as
 * it is.
 */
export function openSqliteReadStoreSnapshot({
  file,
}: {
  readonly file: string;
}): SqliteReadStoreSnapshot | undefined {
  const database = held(file);
  if (database === undefined) return undefined;
  const guard = guardFor(file, () => undefined);
  const queries = createQueries(database, true);
  return {
    get: guard(queries.get),
    getMany: guard(queries.getMany),
    list: guard(queries.list),
    builds: guard(queries.builds),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

/** A connection that sees the file as it is now until it is closed. */
function held(file: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(file);
    if (database !== undefined) holdSnapshot(database);
    return database;
  } catch (error) {
    database?.close();
    throw asPortError(error, file);
  }
}

/** Lets go of a file that was set aside, and has this one written anew by a thread: what asks for the builds is answered meanwhile. */
async function overwrite(file: string): Promise<void> {
  removeDatabase(setAsideName(file));
  const begin = await startOverwriter();
  if (await begin({ file })) return;
  throw plainFailure(
    'unavailable',
    'The read models are being read: what was erased is not yet overwritten.',
  );
}

/**
 * Writes the file anew without what was deleted or replaced in it, and lets go of an old one that was set aside: for
 * after an erasure, while nobody writes it. Does nothing when there is no file. Throws `unavailable` while somebody reads it.
 */
export async function scrubSqliteReadStore({ file }: { readonly file: string }): Promise<void> {
  if (!existsSync(file)) {
    removeDatabase(setAsideName(file));
    return;
  }
  // What is damaged or of another format is set aside by it, and so let go of.
  openForWriting(file, () => {}).close();
  await overwrite(file).catch((error: unknown) => {
    throw asPortError(error, file);
  });
}

/** Asks again what may pass, turns SQLite's errors into the port's and, unless told otherwise, leaves word of damage for the next start. */
function guardFor(file: string, hear: typeof markIfDamaged = markIfDamaged) {
  return <Call extends (...asked: never[]) => Promise<unknown>>(call: Call): Call =>
    (async (...asked: Parameters<Call>) => {
      try {
        return await call(...asked).catch((error: unknown) => {
          if (!mayPass(error)) throw error;
          return call(...asked);
        });
      } catch (error) {
        hear(file, error);
        throw asPortError(error, file);
      }
    }) as Call;
}
