import { deserialize, serialize } from 'bson';
import { Aggregator, Query, update as mingoUpdate } from 'mingo';
import { Refusal } from './refusal.js';
import { simpleTestOf } from './simple-filter.js';
import { compareAll, docOf, isDoc, valueAt, type Doc } from './values.js';

/** Stages that would write, or tell of writes, which the double does not have. */
const MISSING_STAGES = ['$out', '$merge', '$changeStream', '$search'];

/** A test of documents by a filter. */
export function matcherOf(filter: Doc): (document: Doc) => boolean {
  if (Object.keys(filter).length === 0) return () => true;
  const simple = simpleTestOf(filter);
  if (simple === undefined) return evaluatorOf(filter);
  return (document) => {
    const isMatch = simple(document);
    return isMatch === 'unknown' ? evaluatorOf(filter)(document) : isMatch;
  };
}

/** The same by the evaluator alone, which knows every filter. */
export function evaluatorOf(filter: Doc): (document: Doc) => boolean {
  const query = new Query(filter);
  return (document) => query.test(document);
}

/** Runs an aggregation over documents; `other` gives the documents of another collection. */
export function aggregated(
  documents: readonly Doc[],
  pipeline: readonly Doc[],
  other: (collection: string) => readonly Doc[] = () => [],
): readonly Doc[] {
  for (const stage of pipeline.flatMap(Object.keys))
    if (MISSING_STAGES.includes(stage)) throw new Refusal(20, `the double does not have ${stage}`);
  const collectionResolver = (name: string) => [...other(name)];
  return new Aggregator([...pipeline], { collectionResolver }).run<Doc>([...documents]);
}

/** Of each document what a projection names. */
export function projected(documents: readonly Doc[], projection: Doc): readonly Doc[] {
  if (Object.keys(projection).length === 0) return documents;
  return new Query({}).find<Doc>([...documents], projection).all();
}

/** The documents in the order that a sort asks for; among equals as they came. */
export function sorted(documents: readonly Doc[], sort: Doc): readonly Doc[] {
  const fields = Object.entries(sort);
  if (fields.length === 0) return documents;
  return documents.toSorted((a, b) => {
    for (const [field, way] of fields) {
      const order = compareAll([valueAt(a, field)], [valueAt(b, field)]);
      if (order !== 0) return order * Number(way);
    }
    return 0;
  });
}

/** What an update is: operators, a pipeline, or the document that takes the other's place. */
export type Change = Doc | readonly Doc[];

export function isReplacement(change: Change): boolean {
  return !Array.isArray(change) && !Object.keys(change).some((key) => key.startsWith('$'));
}

/** A document of its own with the same content. */
export function copyOf(document: Doc): Doc {
  return docOf(deserialize(serialize(document), { promoteBuffers: false }));
}

/** The document as a change leaves it. The id can't be changed. */
export function changedBy(document: Doc, change: Change, arrayFilters: readonly Doc[], isNew = false): Doc {
  const after = applied(document, change, arrayFilters, isNew);
  if ('_id' in document && compareAll([after['_id']], [document['_id']]) !== 0)
    throw new Refusal(66, 'the (immutable) field _id was found to have been altered');
  return after;
}

function applied(document: Doc, change: Change, arrayFilters: readonly Doc[], isNew: boolean): Doc {
  const kept = '_id' in document ? { _id: document['_id'] } : {};
  if (isPipeline(change)) {
    const [after = {}] = aggregated([document], change);
    return { ...kept, ...after };
  }
  if (isReplacement(change)) return { ...kept, ...change };
  const { $setOnInsert, ...operators } = change;
  const after = copyOf(document);
  if (isNew && $setOnInsert !== undefined) setAll(after, docOf($setOnInsert));
  if (isDoc(operators['$set'])) {
    setAll(after, operators['$set']);
    delete operators['$set'];
  }
  if (Object.keys(operators).length > 0)
    mingoUpdate(after, operators, [...arrayFilters], {}, { cloneMode: 'deep' });
  return after;
}

/** Sets members of a document; the evaluator refuses the id, be it the same. */
function setAll(document: Doc, { _id, ...members }: Doc): void {
  if (_id !== undefined) document['_id'] = _id;
  if (Object.keys(members).length > 0)
    mingoUpdate(document, { $set: members }, [], {}, { cloneMode: 'deep' });
}

function isPipeline(change: Change): change is readonly Doc[] {
  return Array.isArray(change);
}

/** What a filter fixes to a value, which a document that an upsert makes begins with. */
export function fixedBy(filter: Doc): Doc {
  const fixed: Doc = {};
  for (const [key, condition] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(condition)) {
      for (const part of condition) Object.assign(fixed, fixedBy(docOf(part)));
      continue;
    }
    if (key.startsWith('$')) continue;
    const isOperator = isDoc(condition) && Object.keys(condition).some((name) => name.startsWith('$'));
    if (isOperator && !('$eq' in condition)) continue;
    setAll(fixed, { [key]: isOperator ? condition['$eq'] : condition });
  }
  return fixed;
}
