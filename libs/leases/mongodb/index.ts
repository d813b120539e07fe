import { hasCode, LodeError, randomAlphanumeric, systemRandom, type Random } from '#kernel';
import { leaseLimits, type Lease, type Leases } from '#leases';
import {
  connectMongo,
  heard,
  lasting,
  unheard,
  type Answer,
  type MongoConnection,
  type MongoOptions,
} from '#mongodb';

const LEASES = 'leases';
const WHAT = 'a lease';
/** What a lease that was released runs until: no clock is there any more. */
const RELEASED = new Date(0);
/** The document of a lease is made by whoever finds none, and then taken. */
const ACQUIRES_MAX = 2;
/** Characters that tell one acquiring from every other. */
const BY_LENGTH = 20;

export type MongoLeasesOptions = MongoOptions & {
  /** Whoever has this name has the leases of its earlier life. */
  readonly holder: string;
  readonly random?: Random;
};

/**
 * Leases in a MongoDB database, for one holder: a document each, which one write changes by the server's own clock. There
 * is no `check`: a store on a server compares the epoch in each write itself.
 */
export async function openMongoLeases(
  options: MongoLeasesOptions,
): Promise<Leases & { readonly close: () => Promise<void> }> {
  const { holder, random = systemRandom } = options;
  const connection = await connectMongo(options);
  return {
    acquire: async (name) => {
      const by = randomAlphanumeric(random, BY_LENGTH);
      const found = await taken(connection, name, { holder, by });
      // Another's, or that of a later acquiring of this holder.
      return found['by'] === by ? leaseOf(connection, name, Number(found['epoch'])) : undefined;
    },
    isHeld: async (name) =>
      (await connection.find(LEASES, { _id: name, $expr: { $not: [hasRunOut] } }, { limit: 1 })).length > 0,
    close: connection.close,
  };
}

const { until, hasRunOut } = lasting(leaseLimits.ttlMs);

type Taker = { readonly holder: string; readonly by: string };

/** The lease after this one has taken it, or as somebody else has it. */
async function taken(connection: MongoConnection, name: string, taker: Taker): Promise<Answer> {
  for (let tries = 0; tries < ACQUIRES_MAX; tries++) {
    const found = await takenOrSeen(connection, name, taker);
    if (found !== undefined) return found;
    const first = { _id: name, holder: '', by: '', epoch: 0, until: RELEASED };
    // Another may have made it just now, and a lost answer is met by the next look.
    await connection.write({ insert: LEASES, documents: [first] }).catch(unlessUnheard);
  }
  throw new LodeError('unavailable', `The lease ${name} cannot be made in MongoDB.`);
}

/** One write, which takes the lease when it may be had and else changes nothing; its document as it is then, if any. */
async function takenOrSeen(
  connection: MongoConnection,
  name: string,
  { holder, by }: Taker,
): Promise<Answer | undefined> {
  const isFree = { $or: [{ $eq: ['$holder', { $literal: holder }] }, hasRunOut] };
  const mine = { holder: { $literal: holder }, by: { $literal: by }, epoch: { $add: ['$epoch', 1] }, until };
  const update = [{ $replaceWith: { $cond: [isFree, { $mergeObjects: ['$$ROOT', mine] }, '$$ROOT'] } }];
  try {
    const { value } = await connection.write({
      findAndModify: LEASES,
      query: { _id: name },
      update,
      new: true,
    });
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch (error) {
    unlessUnheard(error);
    const [found] = await connection.find(LEASES, { _id: name }, { limit: 1 });
    if (found?.['by'] === by) return found;
    throw unheard(WHAT, error);
  }
}

function leaseOf(connection: MongoConnection, name: string, epoch: number): Lease {
  const isMine = { _id: name, epoch, until: { $gt: RELEASED } };
  const change = async (u: unknown) => {
    const { n } = await heard(() => connection.write({ update: LEASES, updates: [{ q: isMine, u }] }), WHAT);
    return n === 1;
  };
  return {
    name,
    epoch,
    renew: () => change([{ $set: { until } }]),
    release: async () => {
      await change({ $set: { until: RELEASED } });
    },
  };
}

function unlessUnheard(error: unknown): void {
  if (!hasCode(error, 'unknown_outcome')) throw error;
}
