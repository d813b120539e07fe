import { LodeError, type Json } from '#kernel';
import { connectMongo, heard, listOf, type Answer, type MongoConnection, type MongoOptions } from '#mongodb';
import { orderLimits, tooManyOrders, type Order, type Orders, type Outcome } from '#orders';

/** The database, and the log whose orders they are: those of another one are not seen. */
export type MongoOrdersOptions = MongoOptions & { readonly logId: string };

/** The document that numbers orders, beside them. */
const NUMBERS = '#numbers';
const DUPLICATE = 11_000;

/**
 * Orders in a MongoDB database: a document each, numbered by the server in the order in which they came. Every write says the same
 * when it is made twice, and is, when nobody heard what became of it.
 */
export async function openMongoOrders({
  logId,
  ...options
}: MongoOrdersOptions): Promise<Orders & { readonly close: () => Promise<void> }> {
  const connection = await connectMongo(options);
  const collection = collectionOf(logId);
  const find = (filter: Answer, limit: number, way: 1 | -1 = 1) =>
    connection.find(collection, filter, { sort: { n: way }, limit });
  const waits = (to: readonly string[]) =>
    find({ to: { $in: to }, outcome: { $exists: false } }, orderLimits.waiting);

  return {
    place: async ({ id, to, what }) => {
      if ((await find({ _id: id }, 1)).length > 0) return;
      if ((await waits([to])).length >= orderLimits.waiting) throw tooManyOrders();
      const n = await nextNumber(connection, collection);
      const document = { _id: id, to, n, what: JSON.stringify(what) };
      const { writeErrors } = await written(() =>
        connection.write({ insert: collection, documents: [document] }),
      );
      const [failure] = listOf(writeErrors);
      // It is there already, by a first try whose answer was lost or by whoever placed it too.
      if (failure !== undefined && failure['code'] !== DUPLICATE)
        throw new LodeError('unavailable', 'MongoDB does not take an order.');
    },
    waiting: async (to) => (await waits(to)).map(orderIn),
    settle: async ({ id, to }, outcome) => {
      const q = { _id: id, outcome: { $exists: false } };
      const u = { $set: { outcome: JSON.stringify(outcome) } };
      await written(() => connection.write({ update: collection, updates: [{ q, u }] }));
      const settled = await find({ to, outcome: { $exists: true } }, orderLimits.kept + 1, -1);
      const oldest = settled[orderLimits.kept];
      if (oldest === undefined) return;
      const gone = { to, outcome: { $exists: true }, n: { $lte: oldest['n'] } };
      await written(() => connection.write({ delete: collection, deletes: [{ q: gone, limit: 0 }] }));
    },
    outcome: async (id) => {
      const [found] = await find({ _id: id, outcome: { $exists: true } }, 1);
      return found && (JSON.parse(String(found['outcome'])) as Outcome);
    },
    close: connection.close,
  };
}

/** Forgets every order and what came of it, while nobody carries any out: the log is not what it was when they were placed. */
export async function forgetMongoOrders({ logId, ...options }: MongoOrdersOptions): Promise<void> {
  const connection = await connectMongo(options);
  try {
    // The document that numbers them stays: whoever asks for one of before finds nothing that came of it.
    const q = { _id: { $ne: NUMBERS } };
    await written(() => connection.write({ delete: collectionOf(logId), deletes: [{ q, limit: 0 }] }));
  } finally {
    await connection.close();
  }
}

function collectionOf(logId: string): string {
  return `orders.${logId}`;
}

/** A number that is greater than all before it. One whose answer was lost is nobody's. */
async function nextNumber(connection: MongoConnection, collection: string): Promise<number> {
  const query = { _id: NUMBERS };
  const update = { $inc: { last: 1 } };
  const { value } = await written(() =>
    connection.write({ findAndModify: collection, query, update, new: true, upsert: true }),
  );
  const last: unknown = typeof value === 'object' && value !== null && 'last' in value ? value.last : 0;
  return Number(last);
}

function orderIn({ _id, to, what }: Answer): Order {
  return { id: String(_id), to: String(to), what: JSON.parse(String(what)) as Json };
}

/** Makes a write once more whose answer was lost. */
function written(write: () => Promise<Answer>): Promise<Answer> {
  return heard(write, 'an order');
}
