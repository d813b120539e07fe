import { Long, ObjectId, serialize } from 'bson';
import { duplicateId, type Collection, type Data } from './data.js';
import { changedBy, fixedBy, isReplacement, matcherOf, projected, sorted, type Change } from './matching.js';
import { Refusal, unsupported } from './refusal.js';
import { docOf, docsOf, isDoc, keyText, numberOf, textOf, type Doc } from './values.js';

/** What a write command says of each of its statements that failed. */
type WriteError = Doc & { readonly index: number; readonly code: number };

/** Does the statements one by one: after one that fails an ordered command stops, and an unordered one goes on. */
function eachStatement(
  statements: readonly Doc[],
  isOrdered: boolean,
  apply: (statement: Doc, index: number) => void,
): readonly WriteError[] {
  const errors: WriteError[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      apply(statement, index);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(9, String(error));
      errors.push({ index, code: refusal.code, errmsg: refusal.message, ...refusal.more });
      if (isOrdered) break;
    }
  }
  return errors;
}

function withErrors(answer: Doc, errors: readonly WriteError[]): Doc {
  return errors.length === 0 ? answer : { ...answer, writeErrors: errors };
}

export function insert(data: Data, namespace: string, command: Doc): Doc {
  let n = 0;
  const errors = eachStatement(docsOf(command['documents']), command['ordered'] !== false, (document) => {
    insertOne(data, namespace, document);
    n++;
  });
  return withErrors({ n }, errors);
}

function insertOne(data: Data, namespace: string, sent: Doc): Doc {
  const { documents } = data.make(namespace);
  const document = { _id: sent['_id'] ?? new ObjectId(), ...sent };
  if (documents.has(keyText(document._id))) throw duplicateId(namespace, document._id);
  data.put(namespace, document);
  return document;
}

/** The documents that a filter finds; one that names the id looks at that document alone. */
export function found(collection: Collection | undefined, filter: Doc): readonly Doc[] {
  if (collection === undefined) return [];
  const isMatch = matcherOf(filter);
  const id = filter['_id'];
  if (id === undefined || id === null || isDoc(id) || id instanceof RegExp)
    return [...among(collection, id)].filter(isMatch);
  const document = collection.documents.get(keyText(id));
  return document !== undefined && isMatch(document) ? [document] : [];
}

function among({ documents }: Collection, id: unknown): Iterable<Doc> {
  if (!isDoc(id) || !Array.isArray(id['$in'])) return documents.values();
  const keys = new Set(id['$in'].map((one: unknown) => keyText(one)));
  const there = [...keys].map((key) => documents.get(key));
  return there.filter((document) => document !== undefined);
}

/** What updates came to so far. */
type Updated = { matched: number; modified: number; readonly upserted: Doc[] };

export function update(data: Data, namespace: string, command: Doc): Doc {
  const done: Updated = { matched: 0, modified: 0, upserted: [] };
  const errors = eachStatement(
    docsOf(command['updates']),
    command['ordered'] !== false,
    (statement, index) => {
      const made = updateOne(data, namespace, statement, done);
      if (made !== undefined) done.upserted.push({ index, _id: made['_id'] });
    },
  );
  const { matched, modified: nModified, upserted } = done;
  const n = matched + upserted.length;
  return withErrors({ n, nModified, ...(upserted.length === 0 ? {} : { upserted }) }, errors);
}

/** Updates of any collections in one command, of which the answer tells the errors alone. */
export function bulkWrite(data: Data, command: Doc): Doc {
  if (command['errorsOnly'] !== true) throw unsupported('what became of each statement of a bulkWrite');
  const namespaces = docsOf(command['nsInfo']).map(({ ns }) => textOf(ns));
  const done: Updated = { matched: 0, modified: 0, upserted: [] };
  const errors = eachStatement(docsOf(command['ops']), command['ordered'] !== false, (statement, index) => {
    const namespace = namespaces[numberOf(statement['update'], -1)];
    if (namespace === undefined) throw unsupported('anything but updates in a bulkWrite');
    const made = updateOne(data, namespace, statement, done);
    if (made !== undefined) done.upserted.push({ index, _id: made['_id'] });
  });
  const firstBatch = errors.map(({ index, ...error }) => ({ ok: 0, idx: index, n: 0, ...error }));
  return {
    cursor: { id: Long.ZERO, ns: 'admin.$cmd.bulkWrite', firstBatch },
    nErrors: errors.length,
    nInserted: 0,
    nMatched: done.matched,
    nModified: done.modified,
    nUpserted: done.upserted.length,
    nDeleted: 0,
  };
}

/** Does an update as either command has it; gives the document that it made, if it made one. */
function updateOne(data: Data, namespace: string, statement: Doc, done: Updated): Doc | undefined {
  if ('collation' in statement) throw unsupported('collations');
  const filter = docOf(statement['q'] ?? statement['filter']);
  const change = changeOf(statement['u'] ?? statement['updateMods']);
  const isMulti = statement['multi'] === true;
  if (isMulti && isReplacement(change))
    throw new Refusal(9, 'multi update is not supported for replacement-style update');
  const all = sorted(found(data.get(namespace), filter), docOf(statement['sort'] ?? {}));
  const arrayFilters = docsOf(statement['arrayFilters']);
  for (const before of isMulti ? all : all.slice(0, 1)) {
    done.matched++;
    if (putChanged(data, namespace, before, changedBy(before, change, arrayFilters))) done.modified++;
  }
  if (all.length > 0 || statement['upsert'] !== true) return undefined;
  return upsertOne(data, namespace, filter, change, arrayFilters);
}

/** False when the document is as it was before. */
function putChanged(data: Data, namespace: string, before: Doc, after: Doc): boolean {
  if (Buffer.compare(serialize(before), serialize(after)) === 0) return false;
  data.put(namespace, after);
  return true;
}

function upsertOne(
  data: Data,
  namespace: string,
  filter: Doc,
  change: Change,
  arrayFilters: readonly Doc[],
): Doc {
  const fixed = fixedBy(filter);
  const begun = isReplacement(change) && '_id' in fixed ? { _id: fixed['_id'] } : fixed;
  return insertOne(data, namespace, changedBy(begun, change, arrayFilters, true));
}

function changeOf(value: unknown): Change {
  return Array.isArray(value) ? docsOf(value) : docOf(value);
}

export function remove(data: Data, namespace: string, command: Doc): Doc {
  let n = 0;
  const errors = eachStatement(docsOf(command['deletes']), command['ordered'] !== false, (statement) => {
    const all = found(data.get(namespace), docOf(statement['q']));
    for (const { _id } of numberOf(statement['limit']) === 1 ? all.slice(0, 1) : all) {
      data.remove(namespace, _id);
      n++;
    }
  });
  return withErrors({ n }, errors);
}

export function findAndModify(data: Data, namespace: string, command: Doc): Doc {
  const filter = docOf(command['query'] ?? {});
  const [before] = sorted(found(data.get(namespace), filter), docOf(command['sort'] ?? {}));
  const shown = (document: Doc | undefined) =>
    document === undefined ? null : (projected([document], docOf(command['fields'] ?? {}))[0] ?? null);
  if (command['remove'] === true) {
    if (before !== undefined) data.remove(namespace, before['_id']);
    return { value: shown(before), lastErrorObject: { n: before === undefined ? 0 : 1 } };
  }
  const [change, arrayFilters] = [changeOf(command['update']), docsOf(command['arrayFilters'])];
  const isNew = command['new'] === true;
  if (before !== undefined) {
    const after = changedBy(before, change, arrayFilters);
    putChanged(data, namespace, before, after);
    return { value: shown(isNew ? after : before), lastErrorObject: { n: 1, updatedExisting: true } };
  }
  if (command['upsert'] !== true) return { value: null, lastErrorObject: { n: 0, updatedExisting: false } };
  const made = upsertOne(data, namespace, filter, change, arrayFilters);
  const lastErrorObject = { n: 1, updatedExisting: false, upserted: made['_id'] };
  return { value: shown(isNew ? made : undefined), lastErrorObject };
}
