import { canonicalJson, invariant } from '#kernel';
import {
  idIndex,
  limits,
  type Build,
  type Collection,
  type Document,
  type Index,
  type ListQuery,
} from './port.js';

const COLLECTION_NAME = /^[a-z][a-z-]{0,39}$/;
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9]{0,39}$/;

/** Names become parts of statements, so that only these are taken: no name ever comes from a caller of the API. */
export function checkCollection(collection: Collection): void {
  const { name, version, indexes } = collection;
  invariant(COLLECTION_NAME.test(name), `"${name}" is not a collection's name`);
  invariant(Number.isSafeInteger(version) && version > 0, `version ${version} is not a whole number above 0`);
  const names = new Set([idIndex]);
  for (const index of indexes) {
    const fields = fieldsOf(index);
    invariant(FIELD_NAME.test(index.name), `"${index.name}" is not an index's name`);
    invariant(!names.has(index.name), `two indexes of ${name} are called ${index.name}`);
    invariant(fields.length > 0, `index ${index.name} of ${name} has no fields`);
    invariant(
      index.sparse !== true || index.equals.length > 0,
      `index ${index.name} of ${name} is sparse by no field`,
    );
    invariant(
      fields.every((field) => FIELD_NAME.test(field)),
      `a field of ${index.name} is not a field's name`,
    );
    invariant(
      new Set([...fields, 'id']).size === fields.length + 1,
      `a field is twice in ${index.name}, or is id`,
    );
    names.add(index.name);
  }
}

/** Every field that some index needs, once, in a fixed order. */
export function indexedFields(indexes: readonly Index[]): readonly string[] {
  return [...new Set(indexes.flatMap(fieldsOf))].sort();
}

/** Those of the indexed fields that every document has a text in; the others only decide what a sparse index lists. */
export function requiredFields(indexes: readonly Index[]): readonly string[] {
  return indexedFields(
    indexes.map(({ sparse, equals, ...rest }) => ({ ...rest, equals: sparse ? [] : equals })),
  );
}

function fieldsOf({ equals, order, filters = [] }: Index): readonly string[] {
  return [...equals, ...order, ...filters];
}

/** The text of an indexed field, or undefined when there is none. */
export function indexedText(document: Document, field: string): string | undefined {
  const value = document[field];
  return typeof value === 'string' ? value : undefined;
}

/** The name under which a build's documents are kept. */
export function buildName(build: Build): string {
  return `${build.collection}@${build.version}.${build.number}`;
}

/** True when two declarations ask for the same indexes. */
export function sameIndexes(a: readonly Index[], b: readonly Index[]): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** The declared index that a query names; a query that doesn't fit it is a bug. */
export function indexFor(collection: string, indexes: readonly Index[], query: ListQuery): Index {
  const { index: name, equals, after, limit } = query;
  invariant(Number.isSafeInteger(limit) && limit > 0 && limit <= limits.page, `${limit} is no page's limit`);
  const index: Index | undefined =
    name === idIndex ? { name, equals: [], order: [] } : indexes.find((declared) => declared.name === name);
  invariant(index !== undefined, `${collection} has no index ${name}`);
  const given = Object.keys(equals);
  const mayBeGiven = [...index.equals, ...(index.filters ?? [])];
  invariant(
    index.equals.every((field) => given.includes(field)) &&
      given.every((field) => mayBeGiven.includes(field)),
    `index ${name} of ${collection} asks for ${mayBeGiven.join(', ')}, not ${given.join(', ')}`,
  );
  invariant(
    after === undefined || after.length === index.order.length + 1,
    `a place in index ${name} of ${collection} has ${index.order.length + 1} parts`,
  );
  return index;
}
