import { codes, serverCode, type Answer, type MongoConnection } from '#mongodb';
import type { Entry } from './catalog.js';
import { indexSpec } from './documents.js';

/** Documents of a retired build that one call of `discard` removes. */
const DOCUMENTS_PER_DISCARD = 2_000;

/** From now on the server itself refuses what a writer of any other epoch puts there. False when there is no collection. */
export function fence(
  connection: MongoConnection,
  { documents }: Entry,
  epochs: readonly number[],
): Promise<boolean> {
  const validator = validatorFor(epochs);
  return succeeds(codes.namespaceNotFound, () => connection.write({ collMod: documents, validator }));
}

/** Makes a build's collection, or takes it over, with its fence. */
export async function makeFenced(
  connection: MongoConnection,
  entry: Entry,
  epochs: readonly number[],
): Promise<void> {
  if (await fence(connection, entry, epochs)) return;
  const validator = validatorFor(epochs);
  const isMade = await succeeds(codes.namespaceExists, () =>
    connection.write({ create: entry.documents, validator }),
  );
  // Another writer made it just now.
  if (!isMade) await fence(connection, entry, epochs);
}

/** What was written by an earlier epoch may stay, and be replaced by one of these. */
function validatorFor(epochs: readonly number[]): Answer {
  return { epoch: { $in: epochs } };
}

/** Removes what is left of removed documents: of the given ones what a writer left there, or of all. */
export async function removeTraces(
  connection: MongoConnection,
  { documents }: Entry,
  which: { readonly ids: readonly string[]; readonly epoch: number } | 'all',
): Promise<void> {
  const own = which === 'all' ? {} : { _id: { $in: which.ids }, epoch: which.epoch };
  await connection.write({ delete: documents, deletes: [{ q: { ...own, gone: true }, limit: 0 }] });
}

/** Makes the indexes that are not there; others go on writing meanwhile. Gives how many those were. */
export async function makeIndexes(
  connection: MongoConnection,
  { documents, indexes }: Entry,
): Promise<number> {
  if (indexes.length === 0) return 0;
  const made = await connection.write({ createIndexes: documents, indexes: indexes.map(indexSpec) });
  return Number(made['numIndexesAfter']) - Number(made['numIndexesBefore']);
}

/** Removes some of a build's documents, and its collection with the last of them; true when nothing is left. */
export async function removeSome(connection: MongoConnection, { documents }: Entry): Promise<boolean> {
  const some = { limit: DOCUMENTS_PER_DISCARD, projection: { _id: 1 }, sort: { _id: 1 } } as const;
  const found = await connection.find(documents, {}, some);
  if (found.length === DOCUMENTS_PER_DISCARD) {
    const q = { _id: { $lte: found.at(-1)?.['_id'] } };
    await connection.write({ delete: documents, deletes: [{ q, limit: 0 }] });
    return false;
  }
  await succeeds(codes.namespaceNotFound, () => connection.write({ drop: documents }));
  return true;
}

/** Removes all that is left of a build's documents. */
export async function removeAll(connection: MongoConnection, entry: Entry): Promise<void> {
  while (!(await removeSome(connection, entry)));
}

/** False when it failed with this code of the server, which says that it is so already. */
async function succeeds(code: number, write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof Error && serverCode(error.cause) === code) return false;
    throw error;
  }
}
