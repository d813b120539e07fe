import { MongoClient, type Document, type FindOptions } from 'mongodb';
import { LodeError } from '#kernel';
import { listOf, membersOf, type Answer } from './answers.js';
import { codes, ENCODING, readFailure, serverCode, writeFailure } from './errors.js';

export type MongoOptions = {
  /** `mongodb://name:password@host/?replicaSet=…`. */
  readonly url: string;
  /** The database that is written to. */
  readonly database: string;
  /** How long a server is looked for, and how long an answer may take, in milliseconds. */
  readonly selectMs?: number;
  readonly answerMs?: number;
};

/** An update of one document, as the command `update` has it. */
export type Update = {
  readonly q: Answer;
  readonly u: Answer | readonly Answer[];
  readonly upsert?: boolean;
};
export type UpdatesOf = { readonly collection: string; readonly updates: readonly Update[] };

/** What updates in their order came to: how many were done, and the code of the one that failed, after which none was. */
export type Done = { readonly count: number; readonly failed: number | undefined };

export type Find = Pick<FindOptions, 'projection' | 'hint' | 'min' | 'max' | 'sort' | 'limit'>;

const SELECT_MS = 5_000;
const ANSWER_MS = 30_000;
/** Connections that one store has at most. */
const CONNECTIONS_MAX = 8;
/** How soon the driver looks again for a server that was lost, in milliseconds. */
const LOOK_AGAIN_MS = 100;

/** From 8.0 on. */
const BULK_WRITE_WIRE_VERSION = 25;
const BULK_WRITE_REFUSED: ReadonlySet<number | undefined> = new Set([
  codes.unauthorized,
  codes.commandNotFound,
  codes.commandNotSupported,
]);
const HELLO = { hello: 1 };
const DURABLY = { writeConcern: { w: 'majority', j: true } };

/**
 * One database on a MongoDB server or replica set, with the ports' errors. Reads see what a majority has; writes are
 * acknowledged once a majority has them on disk. It never tries a write again by itself.
 */
export type MongoConnection = {
  /** The documents of a collection that a filter finds, in one answer where they fit. */
  readonly find: (collection: string, filter: Document, options: Find) => Promise<readonly Answer[]>;
  /** A command that writes. What fails in single statements of it is in the answer. */
  readonly write: (command: Document) => Promise<Answer>;
  /**
   * Updates in any collections, in one command: one after another up to the first that fails, each that is done on disk
   * no later than the next. `refused`, with nothing done, where the server is older than 8.0 or has the features of an
   * older one, has shards behind it, or does not let the user.
   */
  readonly updateInOrder: (updates: readonly UpdatesOf[]) => Promise<Done | 'refused'>;
  /** What time it is by the server's clock, as `$$NOW` is; milliseconds since the epoch. */
  readonly now: () => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Connects, and throws `unavailable` when there is no server. */
export async function connectMongo(options: MongoOptions): Promise<MongoConnection> {
  const { database: name, selectMs = SELECT_MS, answerMs = ANSWER_MS } = options;
  const client = clientFor(options.url, selectMs, answerMs);
  // Whatever the connection string says: another server may not have yet what a checkpoint says.
  const databaseOf = (one: string) => client.db(one, { readPreference: 'primary' });
  const [database, admin] = [databaseOf(name), databaseOf('admin')];
  let hello: Answer;
  try {
    hello = await database.command(HELLO);
  } catch (error) {
    await client.close();
    throw readFailure(error, HELLO);
  }
  // Each shard behind a router has a journal of its own, and between those there is no order.
  const isRouter = hello['msg'] !== undefined;
  let canBulkWrite = !isRouter && Number(hello['maxWireVersion']) >= BULK_WRITE_WIRE_VERSION;
  const isSet = hello['setName'] !== undefined || isRouter;
  // A server alone has no majority to ask, and loses nothing that it had on disk.
  const readConcern = { level: isSet ? ('majority' as const) : ('local' as const) };

  return {
    find: async (collection, filter, wanted) => {
      const batch = wanted.limit === undefined ? {} : { batchSize: wanted.limit };
      const options = { ...wanted, ...batch, readConcern };
      try {
        return await database.collection(collection).find(filter, options).toArray();
      } catch (error) {
        throw readFailure(error, { filter, ...wanted });
      }
    },
    write: async (command) => {
      try {
        return await database.command({ ...command, ...DURABLY });
      } catch (error) {
        throw writeFailure(error, command);
      }
    },
    updateInOrder: async (updates) => {
      if (!canBulkWrite) return 'refused';
      const command = bulkWriteOf(name, updates);
      try {
        return doneOf(await admin.command({ ...command, ...DURABLY }));
      } catch (error) {
        // The rights of the user, and the version of another primary, may be others than at first.
        canBulkWrite = !BULK_WRITE_REFUSED.has(serverCode(error));
        if (!canBulkWrite) return 'refused';
        throw writeFailure(error, command);
      }
    },
    now: async () => {
      try {
        return Number((await database.command(HELLO))['localTime']);
      } catch (error) {
        throw readFailure(error, HELLO);
      }
    },
    close: () => client.close(),
  };
}

function bulkWriteOf(database: string, all: readonly UpdatesOf[]): Document {
  const nsInfo = all.map(({ collection }) => ({ ns: `${database}.${collection}` }));
  const ops = all.flatMap(({ updates }, update) =>
    updates.map(({ q, u, upsert }) => ({ update, filter: q, updateMods: u, upsert })),
  );
  return { bulkWrite: 1, ops, nsInfo, ordered: true, errorsOnly: true };
}

function doneOf({ nMatched, nUpserted, cursor }: Answer): Done {
  const [failure] = listOf(membersOf(cursor)['firstBatch']);
  const count = Number(nMatched) + Number(nUpserted);
  return { count, failed: failure && Number(failure['code']) };
}

function clientFor(url: string, serverSelectionTimeoutMS: number, socketTimeoutMS: number): MongoClient {
  try {
    return new MongoClient(url, {
      appName: 'lode',
      connectTimeoutMS: serverSelectionTimeoutMS,
      ...ENCODING,
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
