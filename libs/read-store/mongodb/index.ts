import { connectMongo, type MongoOptions } from '#mongodb';
import type { ReadStore, ReadStoreReader } from '../port.js';
import { readCatalog } from './catalog.js';
import { createQueries } from './queries.js';
import { createWrites, type WriterOptions } from './writes.js';

export type MongoReadStoreOptions = MongoOptions & WriterOptions;

/**
 * Read models in a MongoDB database, for the one program that writes some of their lanes: an earlier one that still does is
 * refused with `conflict`. It needs no transactions, and so can be a single server: a batch's documents are there before its
 * checkpoint, and every write can be made again. Needs the rights to read and write the database and to change its
 * collections' validators.
 */
export async function openMongoReadStore(options: MongoReadStoreOptions): Promise<ReadStore> {
  const connection = await connectMongo(options);
  try {
    const writes = await createWrites(connection, options);
    return {
      ...createQueries(connection),
      ...writes,
      withoutTransactions: true,
      close: connection.close,
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The queries of the same database, for any other program; builds may come, swap and go at any time. */
export async function openMongoReadStoreReader(options: MongoOptions): Promise<ReadStoreReader> {
  const connection = await connectMongo(options);
  return { ...createQueries(connection), close: connection.close };
}

/** The read models to be looked at beside whoever writes them, with their builds. */
export type MongoReadStoreSnapshot = ReadStoreReader & { readonly goesOn: true };

/**
 * Opens them to be looked at; undefined while nobody has opened them for writing. Unlike a file's, what is seen goes on
 * with whoever writes.
 */
export async function openMongoReadStoreSnapshot(
  options: MongoOptions,
): Promise<MongoReadStoreSnapshot | undefined> {
  const connection = await connectMongo(options);
  try {
    if ((await readCatalog(connection)) !== undefined)
      return {
        ...createQueries(connection),
        goesOn: true,
        close: connection.close,
      };
  } catch (error) {
    await connection.close();
    throw error;
  }
  await connection.close();
  return undefined;
}
