import { statSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { EventKinds, EventStore } from '#event-store';
import { joinSqliteEventStore, nextPosition, openLogReader, openSqliteEventStore } from '#event-store/sqlite';
import { invariant, logStart, type Position } from '#kernel';
import type { EngineSettings, LogReader } from './engines.js';
import { readersOn } from './members.js';
import { placesIn } from './places.js';
import { sharing } from './shared-log.js';

/** Loaded where there is an EventStoreDB alone: its client takes longer to load than all else that a command needs. */
const eventStoreDb = () => import('#event-store/eventstoredb');

/** The log of a program, and the way to its one writer, if it has one in this program. */
export type OwnLog = { readonly events: EventStore; readonly connect: () => MessagePort | undefined };

/** The log, where it is. */
export type LogEngine = {
  /** As it stands in a sentence. */
  readonly name: string;
  /** Programs with other folders may have it too: nothing but what its header says keeps them from writing it. */
  readonly isShared: boolean;
  /** False when whoever opens it to write would make it. */
  readonly isThere: () => Promise<boolean>;
  readonly open: () => Promise<OwnLog>;
  /** Beside whoever writes it. */
  readonly openToRead: () => Promise<LogReader>;
  /** Of each type of events the newest version that the program can read; undefined where it reads any. */
  readonly knownKinds: EventKinds | undefined;
  /** The version of the program; undefined where none is kept. */
  readonly program: string | undefined;
  /** The position that follows another; undefined where positions are not counted by ones. */
  readonly nextPosition: ((position: Position) => Position) | undefined;
};

type Engine = Omit<LogEngine, 'knownKinds' | 'program'>;

/** The log of these settings. Nothing is opened yet. */
export function logOf(settings: EngineSettings): LogEngine {
  const { eventStoreUrl, dataFolder, knownKinds, program } = settings;
  const log =
    eventStoreUrl === undefined ? logIn(placesIn(dataFolder).log) : logOnServer(eventStoreUrl, settings);
  return { ...log, knownKinds, program };
}

function logIn(file: string): Engine {
  return {
    name: `the log ${file}`,
    isShared: false,
    isThere: async () => statSync(file, { throwIfNoEntry: false }) !== undefined,
    open: async () => {
      const events = await openSqliteEventStore({ file });
      return { events, connect: () => events.connect() };
    },
    openToRead: async () => {
      const reader = openLogReader(file);
      return {
        readStream: async (stream, read) => reader.readStream(stream, read),
        readStreams: async (streams, limit) => reader.readStreams(streams, limit),
        readAll: async (after, limit) => reader.readAll(after, limit),
        readTypes: async (types, after, limit) => reader.readTypes(types, after, limit),
        head: async () => reader.head(),
        last: async () => reader.last(),
        header: async () => reader.header(),
        kinds: async () => reader.kinds(),
        close: async () => reader.close(),
      };
    },
    nextPosition,
  };
}

function logOnServer(url: string, settings: EngineSettings): Engine {
  const open = sharing(() => openOnServer(url, settings));
  return {
    name: 'the log in EventStoreDB',
    isShared: true,
    isThere: async () => {
      const log = await open();
      try {
        return (await log.head()) !== logStart;
      } finally {
        await log.close();
      }
    },
    open: async () => ({ events: await open(), connect: () => undefined }),
    openToRead: open,
    nextPosition: undefined,
  };
}

async function openOnServer(url: string, settings: EngineSettings): Promise<EventStore> {
  const { openEventStoreDb } = await eventStoreDb();
  const readers = readersOn(settings);
  const events = await openEventStoreDb({ url, readByAll: readers?.readByAll });
  return { ...events, close: () => events.close().finally(() => readers?.close()) };
}

/** The id of the log; undefined when it isn't there, or is one that nobody has started since logs have ids. */
export async function logIdOf(log: LogEngine): Promise<string | undefined> {
  if (!(await log.isThere())) return undefined;
  const reader = await log.openToRead();
  try {
    return (await reader.header())?.logId;
  } finally {
    await reader.close();
  }
}

/** The log in another thread of the program that has it; `port` leads to the writer of one in a file. */
export async function joinLog(settings: EngineSettings, port: MessagePort | undefined): Promise<EventStore> {
  const { eventStoreUrl, dataFolder } = settings;
  if (eventStoreUrl !== undefined) return openOnServer(eventStoreUrl, settings);
  invariant(port !== undefined, 'a handle leads to the writer of the log');
  return joinSqliteEventStore({ file: placesIn(dataFolder).log, port });
}
