import { calculateObjectSize, Long } from 'bson';
import type { Collection, Data, Index } from './data.js';
import { aggregated, matcherOf, projected, sorted } from './matching.js';
import { Refusal, unsupported } from './refusal.js';
import {
  compareAll,
  compareValues,
  docOf,
  docsOf,
  isDoc,
  keyText,
  numberOf,
  textOf,
  valueAt,
  type Doc,
} from './values.js';
import { found } from './writes.js';

/** All data, or what a majority has of it. */
type Readable = Pick<Data, 'get'>;

/** What the server gives at first when nothing else is asked for. */
const FIRST_BATCH = 101;

/** What one answer holds. */
const ANSWER_BYTES_MAX = 16_777_216 - 16_384;

/** As many of the documents as are asked for and fit into an answer; one always does. */
function batchOf(documents: readonly Doc[], count: number): readonly Doc[] {
  let bytes = 0;
  const tooMany = documents.slice(0, count).findIndex((document, n) => {
    bytes += calculateObjectSize(document);
    return n > 0 && bytes > ANSWER_BYTES_MAX;
  });
  return documents.slice(0, tooMany < 0 ? count : tooMany);
}

/** The answers that are not given whole. */
export type Cursors = ReturnType<typeof createCursors>;

export function createCursors() {
  const open = new Map<string, { readonly namespace: string; rest: readonly Doc[] }>();
  let last = 0;
  return {
    /** The first batch, with a cursor for what is left. */
    first: (namespace: string, documents: readonly Doc[], batchSize: unknown, isSingle = false): Doc => {
      const firstBatch = batchOf(documents, numberOf(batchSize, FIRST_BATCH));
      const rest = documents.slice(firstBatch.length);
      if (rest.length === 0 || isSingle) return { cursor: { id: Long.ZERO, ns: namespace, firstBatch } };
      last++;
      open.set(String(last), { namespace, rest });
      return { cursor: { id: Long.fromNumber(last), ns: namespace, firstBatch } };
    },
    more: (id: unknown, batchSize: unknown): Doc => {
      const cursor = open.get(String(id));
      if (cursor === undefined) throw new Refusal(43, `cursor id ${String(id)} not found`);
      const nextBatch = batchOf(cursor.rest, numberOf(batchSize, cursor.rest.length));
      cursor.rest = cursor.rest.slice(nextBatch.length);
      const isOver = cursor.rest.length === 0;
      if (isOver) open.delete(String(id));
      return {
        cursor: { id: isOver ? Long.ZERO : Long.fromNumber(numberOf(id)), ns: cursor.namespace, nextBatch },
      };
    },
    kill: (ids: readonly unknown[]): Doc => {
      const cursorsKilled = ids.filter((id) => open.delete(String(id)));
      const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
      return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
    },
    count: () => open.size,
  };
}

export function find(data: Readable, cursors: Cursors, namespace: string, command: Doc): Doc {
  for (const option of ['collation', 'tailable', 'awaitData', 'returnKey', 'showRecordId'])
    if (command[option] !== undefined && command[option] !== false) throw unsupported(`the option ${option}`);
  const collection = data.get(namespace);
  const all = bounded(collection, found(collection, docOf(command['filter'] ?? {})), command);
  const skip = numberOf(command['skip']);
  // Some drivers ask for a single batch by a limit below zero.
  const limit = Math.abs(numberOf(command['limit'])) || Infinity;
  const page = sorted(all, docOf(command['sort'] ?? {})).slice(skip, skip + limit);
  const shown = projected(page, docOf(command['projection'] ?? {}));
  return cursors.first(namespace, shown, command['batchSize'], command['singleBatch'] === true);
}

/** Those within the bounds that a query sets on the keys of the index that it names. */
function bounded(
  collection: Collection | undefined,
  documents: readonly Doc[],
  command: Doc,
): readonly Doc[] {
  const [min, max] = [keyBound(command['min']), keyBound(command['max'])];
  const index = collection && hinted(collection, command['hint']);
  if (min === undefined && max === undefined) return documents;
  if (collection === undefined) return [];
  if (index === undefined)
    throw new Refusal(2, 'When using min()/max() a hint of which index to use must be provided');
  const fields = Object.keys(index.key);
  for (const bound of [min, max]) {
    if (bound !== undefined && Object.keys(bound).join() !== fields.join())
      throw new Refusal(2, `the bounds are not of the index ${index.name}`);
  }
  if (min !== undefined && max !== undefined && compareAll(Object.values(min), Object.values(max)) >= 0)
    throw new Refusal(51_175, 'The value provided for min() does not come before the one for max()');
  const only = index['partialFilterExpression'];
  const isListed = isDoc(only) ? matcherOf(only) : () => true;
  const orderTo = (bound: Doc | undefined, otherwise: number) => {
    if (bound === undefined) return () => otherwise;
    const values = Object.values(bound);
    // Most differ in the first field already.
    return (document: Doc) => {
      for (const [n, field] of fields.entries()) {
        const order = compareValues(valueAt(document, field), values[n]);
        if (order !== 0) return order;
      }
      return 0;
    };
  };
  const [fromMin, fromMax] = [orderTo(min, 0), orderTo(max, -1)];
  return documents.filter(
    (document) => fromMin(document) >= 0 && fromMax(document) < 0 && isListed(document),
  );
}

function keyBound(value: unknown): Doc | undefined {
  return isDoc(value) && Object.keys(value).length > 0 ? value : undefined;
}

function hinted({ indexes }: Collection, hint: unknown): Index | undefined {
  if (hint === undefined) return undefined;
  const isMeant = ({ name, key }: Index) =>
    name === hint || (isDoc(hint) && JSON.stringify(key) === JSON.stringify(hint));
  const index = [...indexes.values()].find(isMeant);
  if (index === undefined && !(isDoc(hint) && Object.keys(hint).length === 0))
    throw new Refusal(2, 'hint provided does not correspond to an existing index');
  return index;
}

export function aggregate(
  data: Readable,
  cursors: Cursors,
  { database, namespace }: { readonly database: string; readonly namespace: string },
  command: Doc,
): Doc {
  if (command['explain'] === true) throw unsupported('explain');
  const documentsOf = (collection: string) => [
    ...(data.get(`${database}.${collection}`)?.documents.values() ?? []),
  ];
  const documents = command['aggregate'] === 1 ? [] : documentsOf(textOf(command['aggregate']));
  const result = aggregated(documents, docsOf(command['pipeline']), documentsOf);
  return cursors.first(namespace, result, docOf(command['cursor'] ?? {})['batchSize']);
}

export function count(data: Readable, namespace: string, command: Doc): Doc {
  const { length } = found(data.get(namespace), docOf(command['query'] ?? {}));
  const left = Math.max(0, length - numberOf(command['skip']));
  return { n: Math.min(left, Math.abs(numberOf(command['limit'])) || Infinity) };
}

export function distinct(data: Readable, namespace: string, command: Doc): Doc {
  const values = new Map<string, unknown>();
  for (const document of found(data.get(namespace), docOf(command['query'] ?? {}))) {
    const value = valueAt(document, textOf(command['key']));
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) values.set(keyText(one), one);
  }
  return { values: [...values.values()] };
}
