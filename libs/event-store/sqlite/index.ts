import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { deserializeError, invariant, LodeError, systemRandom, uuidV4, type Random } from '#kernel';
import type { EventStore, LogHeader } from '../port.js';
import { createAppender, type Appender } from './appender.js';
import { nextPosition, openLogReader, type LogReader } from './reader.js';
import { changeHeader, removeHeader } from './schema.js';
import type { FromWriter, ToWriter, WriterData } from './writer.js';

/** What a log in a file is made for: one machine reads it. */
const PARTITIONS = 1;

/** The log, whose file other threads may write to as well. */
export type SqliteEventStore = EventStore & {
  /**
   * The end of a new way to the log's writer: for a thread that opens the same log with `joinSqliteEventStore`. Throws
   * `unavailable` once the store is closed.
   */
  readonly connect: () => MessagePort;
};

/**
 * The log in one SQLite file: WAL, every commit fsynced, one writer in a thread of its own, **group commit** (appends
 * that arrive while a commit runs share the next one). Refuses a file that is damaged, newer or not a log.
 */
export async function openSqliteEventStore(options: {
  readonly file: string;
  /** Where the id of a log that begins comes from. */
  readonly random?: Random;
}): Promise<SqliteEventStore> {
  const { file, random = systemRandom } = options;
  makeFolder(dirname(file));
  const header: LogHeader = { logId: uuidV4(random), partitions: PARTITIONS };
  const workerData: WriterData = { file, header };
  const writer = new Worker(new URL('./writer.js', import.meta.url), { workerData });
  await ready(writer);
  const reader = openReader(file, writer);
  const appender = createAppender((message) => writer.postMessage(message));
  const { listeners, hear } = listening(appender);
  let released = false;
  let stopped = false;

  writer.on('message', hear);
  writer.on('error', (error: Error) => appender.fail(`The log's writer stopped: ${error.message}`));
  writer.on('exit', () => {
    stopped = true;
    appender.fail("The log's writer has stopped.");
  });

  return {
    ...storeOf(file, { appender, reader, listeners }),
    connect() {
      if (released) throw new LodeError('unavailable', 'The log is closed.');
      const { port1, port2 } = new MessageChannel();
      writer.postMessage({ kind: 'connect', port: port1 } satisfies ToWriter, [port1]);
      return port2;
    },
    async close() {
      if (released) return;
      released = true;
      await appender.end();
      reader.close();
      // When it has stopped by itself there is nobody to tell.
      if (stopped) return;
      const exited = new Promise((resolve) => writer.once('exit', resolve));
      writer.postMessage({ kind: 'close' } satisfies ToWriter);
      await exited;
    },
  };
}

/**
 * The same log in another thread of the program: reads by itself, and appends by the one writer, to which `port` leads.
 * Close it before the store that the port came from.
 */
export function joinSqliteEventStore(options: {
  readonly file: string;
  readonly port: MessagePort;
}): EventStore {
  const { file, port } = options;
  const reader = openLogReader(file);
  const appender = createAppender((message) => port.postMessage(message));
  const { listeners, hear } = listening(appender);
  port.on('message', hear);
  port.on('close', () => appender.fail("The log's writer has stopped."));
  return {
    ...storeOf(file, { appender, reader, listeners }),
    async close() {
      await appender.end();
      reader.close();
      port.close();
    },
  };
}

type Listeners = Set<() => void>;

/** What a thread does with the writer's messages, and the listeners that they call. */
function listening(appender: Appender): { listeners: Listeners; hear: (message: FromWriter) => void } {
  const listeners: Listeners = new Set();
  return {
    listeners,
    hear: (message) => {
      if (message.kind !== 'committed' && message.kind !== 'grown') return;
      // Before what was posted is answered: whoever hears that nobody knows finds the log closed.
      if (message.dead !== undefined) appender.refuse(message.dead);
      if (message.kind === 'committed') appender.settle(message.results);
      for (const listener of listeners) listener();
    },
  };
}

type StoreParts = {
  readonly appender: Appender;
  readonly reader: LogReader;
  readonly listeners: Listeners;
};

function storeOf(file: string, { appender, reader, listeners }: StoreParts): Omit<EventStore, 'close'> {
  // After a failed write nobody tells where the log ends: it accepts nothing more.
  const atEnd = <T>(read: () => T): T => {
    const failure = appender.failure();
    if (failure !== undefined) throw failure;
    return read();
  };
  return {
    append: appender.append,
    appendMany: appender.appendMany,
    readStream: async (stream, read) => reader.readStream(stream, read),
    readStreams: async (streams, limit) => reader.readStreams(streams, limit),
    readAll: async (after, limit) => reader.readAll(after, limit),
    readTypes: async (types, after, limit) => reader.readTypes(types, after, limit),
    head: async () => atEnd(() => reader.head()),
    last: async () => atEnd(() => reader.last()),
    header: async () => reader.header(),
    ensureHeader: async () => {
      const header = reader.header();
      invariant(header !== undefined, 'the writer has made the header');
      return header;
    },
    changeHeader: async (change) => changeHeader(file, change),
    kinds: async () => reader.kinds(),
    onAppended(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new LodeError(
      'storage_failed',
      `${folder} can't be written: look at its rights.`,
      {},
      { cause: error },
    );
  }
}

/** The reader beside a writer, which is let go when there is none. */
function openReader(file: string, writer: Worker): LogReader {
  try {
    return openLogReader(file);
  } catch (error) {
    writer.postMessage({ kind: 'close' } satisfies ToWriter);
    throw error;
  }
}

/** Waits until the writer has the file, or throws why it does not. */
function ready(writer: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    writer.once('message', (message: FromWriter) => {
      if (message.kind === 'refused') reject(deserializeError(message));
      else resolve();
    });
    writer.once('error', reject);
  });
}

export { nextPosition, openLogReader, removeHeader, type LogReader };
