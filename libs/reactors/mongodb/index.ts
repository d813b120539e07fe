import { comparePositions, hasCode, logStart, LodeError, parsePosition } from '#kernel';
import { connectMongo, type Answer, type MongoConnection, type MongoOptions } from '#mongodb';
import type {
  Checkpoints,
  ParkedEvent,
  ReactorProgress,
  ReactorState,
  StoredReactor,
} from '../checkpoints.js';

/** How often a document is looked at again that was not as it was expected. */
const TRIES_MAX = 4;

/** The database, and the log whose reactors they are: those of another one are not seen, and begin with nothing. */
export type MongoReactorsOptions = MongoOptions & { readonly logId: string };

/** Where the documents of one log's reactors are. */
type Place = { readonly connection: MongoConnection; readonly collection: string };

/** Checkpoints under a lease, by its epoch. */
export type MongoCheckpoints = {
  readonly under: (lease: { readonly epoch: number }) => Checkpoints;
  /** Every reactor as whoever runs it has stored it. */
  readonly read: () => Promise<readonly StoredReactor[]>;
  readonly close: () => Promise<void>;
};

/**
 * Checkpoints in a MongoDB database: a document each reactor, with what it has parked. Whoever loads one, or saves it for
 * the first time, raises its epoch to the one of the lease: what an earlier holder saves from then on is refused.
 */
export async function openMongoCheckpoints(options: MongoReactorsOptions): Promise<MongoCheckpoints> {
  const place = await placeOf(options);
  return {
    under: ({ epoch }) => checkpointsUnder(place, epoch),
    read: () => readAll(place),
    close: place.connection.close,
  };
}

/** Every reactor that is remembered in a database, for tools that only look. */
export async function readMongoReactors(options: MongoReactorsOptions): Promise<readonly StoredReactor[]> {
  const place = await placeOf(options);
  try {
    return await readAll(place);
  } finally {
    await place.connection.close();
  }
}

async function readAll({ connection, collection }: Place): Promise<readonly StoredReactor[]> {
  const found = await connection.find(collection, {}, { sort: { _id: 1 } });
  return found.map((stored) => ({ name: String(stored['_id']), ...stateIn(stored) }));
}

/** Lets them begin anew, while none of them runs: the log is not what it was any more. */
export async function forgetMongoReactors(options: MongoReactorsOptions): Promise<void> {
  const { connection, collection } = await placeOf(options);
  try {
    await connection.write({ delete: collection, deletes: [{ q: {}, limit: 0 }] });
  } finally {
    await connection.close();
  }
}

async function placeOf({ logId, ...options }: MongoReactorsOptions): Promise<Place> {
  return { connection: await connectMongo(options), collection: `reactors.${logId}` };
}

function checkpointsUnder(place: Place, epoch: number): Checkpoints {
  /** How many saves a reactor has, where that is known: each save compares and counts. */
  const known = new Map<string, number>();
  const claimed = async (reactor: string) => {
    const found = await claim(place, reactor, epoch);
    known.set(reactor, Number(found['saves']));
    return found;
  };
  return {
    load: async (reactor) => stateIn(await claimed(reactor)),
    save: async (reactor, progress) => {
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const saves = known.get(reactor) ?? Number((await claimed(reactor))['saves']);
        // Unless it is known that this one came to something, the next one looks.
        known.delete(reactor);
        if (await isSaved(place, { _id: reactor, epoch, saves }, progress)) {
          known.set(reactor, saves + 1);
          return;
        }
      }
      throw unheard();
    },
  };
}

type Expected = { readonly _id: string; readonly epoch: number; readonly saves: number };

/** One write, of a document that is as expected; false when it is not. What became of a lost answer is read. */
async function isSaved(
  { connection, collection }: Place,
  expected: Expected,
  progress: ReactorProgress,
): Promise<boolean> {
  const { position, ordinal, put, remove } = progress;
  const { _id, epoch, saves } = expected;
  const paths = new Set(remove.map(pathOf));
  const $set: Record<string, unknown> = { saves: saves + 1, position, ordinal };
  for (const event of put) {
    const path = pathOf(event.position);
    if (!paths.has(path)) $set[path] = JSON.stringify(event);
  }
  const $unset = Object.fromEntries([...paths].map((path) => [path, '']));
  const u = { $set, ...(paths.size === 0 ? {} : { $unset }) };
  try {
    const { n, writeErrors } = await connection.write({ update: collection, updates: [{ q: expected, u }] });
    if (writeErrors !== undefined)
      throw new LodeError('storage_failed', `MongoDB does not take what is kept of the reactor ${_id}.`);
    return n === 1;
  } catch (error) {
    if (!hasCode(error, 'unknown_outcome')) throw error;
    const [found] = await connection.find(collection, { _id }, { limit: 1 });
    if (Number(found?.['epoch']) > epoch) throw replaced();
    if (found?.['epoch'] === epoch && found['saves'] === saves + 1) return true;
    throw unheard(error);
  }
}

/** The document of a reactor, which is under this epoch from now on; made when it is not there. */
async function claim({ connection, collection }: Place, _id: string, epoch: number): Promise<Answer> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      const query = { _id, epoch: { $lte: epoch } };
      const update = { $set: { epoch } };
      const { value } = await connection.write({ findAndModify: collection, query, update, new: true });
      if (typeof value === 'object' && value !== null) return { ...value };
      const [found] = await connection.find(collection, { _id }, { limit: 1 });
      if (Number(found?.['epoch']) > epoch) throw replaced();
      const first = { _id, epoch: 0, saves: 0, position: logStart, ordinal: 0, parked: {} };
      // Another may have made it just now.
      if (found === undefined) await connection.write({ insert: collection, documents: [first] });
    } catch (error) {
      // Done again, it comes to the same.
      if (!hasCode(error, 'unknown_outcome')) throw error;
    }
  }
  throw unheard();
}

function stateIn({ position, ordinal, parked }: Answer): ReactorState {
  const events = Object.values(typeof parked === 'object' && parked !== null ? parked : {}).map(
    (text) => JSON.parse(String(text)) as ParkedEvent,
  );
  return {
    position: parsePosition(String(position)) ?? logStart,
    ordinal: Number(ordinal),
    parked: events.toSorted((a, b) => comparePositions(a.position, b.position)),
  };
}

function pathOf(position: string): string {
  return `parked.p${position}`;
}

function replaced(): LodeError {
  return new LodeError('conflict', 'Another program runs the reactors now.');
}

function unheard(cause?: unknown): LodeError {
  return new LodeError('unavailable', 'MongoDB did not say what it kept of a reactor.', {}, { cause });
}
