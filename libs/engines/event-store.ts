import { existsSync } from 'node:fs';
import { openLogReader, openSqliteEventStore, type SqliteEventStore } from '#event-store/sqlite';
import { refuseMismatch } from './consistency.js';
import type { LogReader } from './engines.js';
import type { Places } from './places.js';

/**
 * Opens the log of a data folder, which is made when there is none. Throws `storage_failed` when the folder is not
 * consistent: when the log or the identity store is lost while the other is there, or the read models have seen what the
 * log does not have. To be done before anything else of the folder is opened, because that makes what is missing.
 */
export async function openConsistentLog(places: Places): Promise<SqliteEventStore> {
  // A log that is lost leaves its place as it was: its write-ahead log may still be there for somebody to look at.
  if (!existsSync(places.log)) await refuseMismatch(places);
  const events = await openSqliteEventStore({ file: places.log });
  try {
    await refuseMismatch(places, events);
    return events;
  } catch (error) {
    await events.close();
    throw error;
  }
}

/** Reads the log of a data folder beside whoever writes it. */
export function openLogToRead({ log }: Pick<Places, 'log'>): LogReader {
  const reader = openLogReader(log);
  return {
    readStream: async (stream, read) => reader.readStream(stream, read),
    readStreams: async (streams, limit) => reader.readStreams(streams, limit),
    readAll: async (after, limit) => reader.readAll(after, limit),
    readTypes: async (types, after, limit) => reader.readTypes(types, after, limit),
    head: async () => reader.head(),
    close: async () => reader.close(),
  };
}
