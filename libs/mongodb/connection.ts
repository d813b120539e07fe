import { MongoClient, type Document, type FindOptions } from 'mongodb';
import { LodeError } from '#kernel';
import { readFailure, writeFailure } from './errors.js';

export type MongoOptions = {
  /** `mongodb://name:password@host/?replicaSet=…`. */
  readonly url: string;
  /** The database that is written to. */
  readonly database: string;
  /** How long a server is looked for, and how long an answer may take, in milliseconds. */
  readonly selectMs?: number;
  readonly answerMs?: number;
};

/** What the server answered, or a document that it has. */
export type Answer = Readonly<Record<string, unknown>>;
export type Find = Pick<FindOptions, 'projection' | 'hint' | 'min' | 'max' | 'sort' | 'limit'>;

const SELECT_MS = 5_000;
const ANSWER_MS = 30_000;
/** Connections that one store has at most. */
const CONNECTIONS_MAX = 8;
/** How soon the driver looks again for a server that was lost, in milliseconds. */
const LOOK_AGAIN_MS = 100;

/**
 * One database on a MongoDB server or replica set, with the ports' errors. Reads see what a majority has; writes are
 * acknowledged once a majority has them on disk. It never tries a write again by itself.
 */
export type MongoConnection = {
  /** The documents of a collection that a filter finds, in one answer where they fit. */
  readonly find: (collection: string, filter: Document, options: Find) => Promise<readonly Answer[]>;
  /** A command that writes. What fails in single statements of it is in the answer. */
  readonly write: (command: Document) => Promise<Answer>;
  readonly close: () => Promise<void>;
};

/** Connects, and throws `unavailable` when there is no server. */
export async function connectMongo(options: MongoOptions): Promise<MongoConnection> {
  const { database: name, selectMs = SELECT_MS, answerMs = ANSWER_MS } = options;
  const client = clientFor(options.url, selectMs, answerMs);
  // Whatever the connection string says: another server may not have yet what a checkpoint says.
  const database = client.db(name, { readPreference: 'primary' });
  let isSet: boolean;
  try {
    const { setName, msg } = await database.command({ hello: 1 });
    isSet = setName !== undefined || msg !== undefined;
  } catch (error) {
    await client.close();
    throw readFailure(error);
  }
  // A server alone has no majority to ask, and loses nothing that it had on disk.
  const readConcern = { level: isSet ? ('majority' as const) : ('local' as const) };

  return {
    find: async (collection, filter, wanted) => {
      try {
        const batch = wanted.limit === undefined ? {} : { batchSize: wanted.limit };
        return await database
          .collection(collection)
          .find(filter, { ...wanted, ...batch, readConcern })
          .toArray();
      } catch (error) {
        throw readFailure(error);
      }
    },
    write: async (command) => {
      try {
        return await database.command({ ...command, writeConcern: { w: 'majority', j: true } });
      } catch (error) {
        throw writeFailure(error);
      }
    },
    close: () => client.close(),
  };
}

function clientFor(url: string, serverSelectionTimeoutMS: number, socketTimeoutMS: number): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'lode',
      connectTimeoutMS: serverSelectionTimeoutMS,
      ignoreUndefined: true,
      maxPoolSize: CONNECTIONS_MAX,
      minHeartbeatFrequencyMS: LOOK_AGAIN_MS,
      // Every write here can be made again by whoever asked for it, who is told when its outcome is unknown.
      retryWrites: false,
      serverSelectionTimeoutMS,
      socketTimeoutMS,
      waitQueueTimeoutMS: socketTimeoutMS,
    });
  } catch {
    // The driver's own message may quote the string, and with it the password.
    throw new LodeError(
      'internal',
      'The MongoDB connection string cannot be read. It looks like mongodb://name:password@host:27017/?replicaSet=rs0',
    );
  }
}
