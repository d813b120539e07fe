import { MaxKey, MinKey } from 'mongodb';
import { invariant, plainFailure } from '#kernel';
import type { Answer, Find, MongoConnection } from '#mongodb';
import { refuseOthers } from '../damage.js';
import { indexFor } from '../declarations.js';
import {
  foldedLate,
  idIndex,
  limits,
  type Document,
  type Index,
  type ListQuery,
  type ReadStoreReader,
} from '../port.js';
import { readActive, readCatalog, statesOf, type Entry } from './catalog.js';
import { memberOf, parsed, stored } from './documents.js';

/** How often a query is made again because another build was swapped in meanwhile. */
const TRIES_MAX = 5;

/** Those of the documents that are in a build, in no order, each with what was folded late into it. */
export async function documentsIn(
  connection: MongoConnection,
  { build, documents }: Entry,
  ids: readonly string[],
): Promise<readonly Document[]> {
  invariant(ids.length <= limits.idsPerRead, `${ids.length} ids are more than one read may ask for`);
  if (ids.length === 0) return [];
  const filter = { _id: { $in: [...new Set(ids)] }, json: { $exists: true } };
  return parsed(build, await connection.find(documents, filter, { projection: stored, limit: ids.length }));
}

/** Those of the documents that were removed from a build, with the place up to which each has all events. */
export async function goneIn(
  connection: MongoConnection,
  { documents }: Pick<Entry, 'documents'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const filter = { _id: { $in: [...new Set(ids)] }, gone: true };
  const found = await connection.find(documents, filter, { projection: { pos: 1 }, limit: ids.length });
  return new Map(found.map(({ _id, pos }) => [String(_id), String(pos)]));
}

/**
 * The reader's half of the port. What a query found counts when the build that it looked into is still the one to be read
 * afterwards: then it was all the time, and nothing of it was removed meanwhile.
 */
export function createQueries(connection: MongoConnection): Omit<ReadStoreReader, 'close'> {
  /** Of each collection the build that was read last; its declaration never changes. */
  const known = new Map<string, Entry>();

  const query = async <Found>(collection: string, ask: (entry: Entry) => Promise<Found>): Promise<Found> => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const entry = known.get(collection) ?? (await activeEntry(connection, collection));
      known.set(collection, entry);
      const found = await ask(entry);
      if ((await readActive(connection, collection)) === entry.build.number) return found;
      known.delete(collection);
    }
    throw plainFailure('unavailable', `The read model ${collection} is swapped all the time.`);
  };

  return {
    get: async <Doc extends Document>(collection: string, id: string) =>
      query(collection, async (entry) => {
        const [found] = await documentsIn(connection, entry, [id]);
        return found && (withoutMarks(found) as Doc);
      }),

    getMany: async <Doc extends Document>(collection: string, ids: readonly string[]) =>
      query(collection, async (entry) => {
        const there = await documentsIn(connection, entry, ids);
        const found = new Map(there.map((document) => [document.id, withoutMarks(document)]));
        return ids.flatMap((id) => (found.get(id) as Doc | undefined) ?? []);
      }),

    list: async <Doc extends Document>(collection: string, asked: ListQuery) =>
      query(collection, async ({ build, documents, indexes }) => {
        const page = pageOf(indexFor(collection, indexes, asked), asked);
        if (page === undefined) return [];
        const { filter, options } = page;
        const found = await connection.find(documents, filter, { ...options, projection: stored });
        const listed: readonly Document[] = parsed(build, found).map(withoutMarks);
        refuseOthers(build, listed, asked);
        return listed as readonly Doc[];
      }),

    keys: async (collection: string, asked: ListQuery) =>
      query(collection, async ({ documents, indexes }) => {
        const index = indexFor(collection, indexes, asked);
        const page = pageOf(index, asked);
        if (page === undefined) return [];
        const members = [...index.order, 'id'].map(memberOf);
        const projection = Object.fromEntries(members.map((member) => [member, 1]));
        const found = await connection.find(documents, page.filter, { ...page.options, projection });
        return found.map((one) => members.map((member) => String(one[member])));
      }),

    builds: async () => statesOf(await readCatalog(connection)),

    checkpoint: async (collection: string) => (await activeEntry(connection, collection)).checkpoint,
  };
}

/** A document as queries are given it. Most have no marks, and need not be copied. */
function withoutMarks(found: Document): Document {
  if (!(foldedLate in found)) return found;
  const { [foldedLate]: _, ...document } = found;
  return document;
}

async function activeEntry(connection: MongoConnection, collection: string): Promise<Entry> {
  const entries = (await readCatalog(connection))?.entries.values() ?? [];
  const active = [...entries].find(
    ({ build, state }) => build.collection === collection && state === 'active',
  );
  if (active === undefined) throw plainFailure('unavailable', `The read model ${collection} is being built.`);
  return active;
}

/**
 * A page as one stretch of the index, which is named outright with its bounds: whatever the planner thinks, nothing else
 * is looked at, and what the page costs does not depend on where it is. Undefined when there can be nothing in it.
 */
function pageOf(
  index: Index,
  query: ListQuery,
): { readonly filter: Answer; readonly options: Find } | undefined {
  const { equals, order, filters = [] } = index;
  const fields = [...equals, ...order, 'id', ...filters].map(memberOf);
  const [lower, upper] = stretchOf(query);
  if (upper !== undefined && compareTexts(lower, upper) >= 0) return undefined;
  const fixed = equals.map((field) => query.equals[field] ?? '');
  const whole = (rest: readonly string[], filler: MinKey | MaxKey) =>
    Object.fromEntries(fields.map((field, n) => [field, [...fixed, ...rest][n] ?? filler]));
  const way = query.direction === 'ascending' ? 1 : -1;
  return {
    filter: filterOf(index, query),
    options: {
      hint: index.name === idIndex ? '_id_' : index.name,
      min: whole(lower, new MinKey()),
      max: upper === undefined ? whole([], new MaxKey()) : whole(upper, new MinKey()),
      sort: Object.fromEntries(fields.map((field) => [field, way])),
      limit: query.limit,
    },
  };
}

/** Where a page begins and ends after the fixed fields: from the first bound, and before the second one. */
function stretchOf({
  after,
  direction,
  from,
  to,
}: ListQuery): [readonly string[], readonly string[] | undefined] {
  const [key = ''] = after ?? [];
  // Before every text, so that what was removed and has none is not in it.
  const lowest = [from ?? ''];
  const highest = to === undefined ? undefined : [to];
  if (after === undefined) return [lowest, highest];
  if (direction === 'ascending') {
    const isBefore = from !== undefined && compareTexts([key], [from]) < 0;
    return [isBefore ? lowest : [...after.slice(0, -1), successor(after.at(-1) ?? '')], highest];
  }
  const isBeyond = to !== undefined && compareTexts([key], [to]) >= 0;
  return [lowest, isBeyond ? highest : after];
}

/** The first text after a text. */
function successor(text: string): string {
  return `${text}\0`;
}

/** The order of places in an index: of texts by their bytes, and a part of a place before the places that go on. */
function compareTexts(a: readonly string[], b: readonly string[]): number {
  for (let n = 0; n < Math.min(a.length, b.length); n++) {
    const order = Buffer.compare(Buffer.from(a[n] ?? ''), Buffer.from(b[n] ?? ''));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/**
 * What the bounds don't say: the filters; of a sparse index its fields again, without which it is not taken; and in the
 * order of ids, where removed documents still have theirs, that it is there.
 */
function filterOf({ equals, filters = [], name, sparse }: Index, query: ListQuery): Answer {
  const named = [...filters, ...(sparse === true ? equals : [])].filter((field) => field in query.equals);
  const wanted = Object.fromEntries(named.map((field) => [memberOf(field), query.equals[field]]));
  return name === idIndex ? { ...wanted, json: { $exists: true } } : wanted;
}
