import { Binary, Long, MaxKey, MinKey, ObjectId, serialize, Timestamp } from 'bson';

/** A document as it is in memory: BSON's plain types as JavaScript's, the others as the package's classes. */
export type Doc = Record<string, unknown>;

/** The value as a document; anything else is an error in what was sent. */
export function docOf(value: unknown): Doc {
  if (!isDoc(value)) throw new Error(`${typeof value} where a document belongs`);
  return value;
}

/** True for what BSON calls an object. */
export function isDoc(value: unknown): value is Doc {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Date || value instanceof RegExp || '_bsontype' in value);
}

export function docsOf(value: unknown): readonly Doc[] {
  return Array.isArray(value) ? value.map(docOf) : [];
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`${typeof value} where a text belongs`);
  return value;
}

export function numberOf(value: unknown, otherwise = 0): number {
  if (value instanceof Long) return value.toNumber();
  return typeof value === 'number' ? value : otherwise;
}

/** The value at a path of members; undefined when there is none. Arrays are not looked into. */
export function valueAt(document: Doc, path: string): unknown {
  let value: unknown = document;
  for (const part of path.split('.')) {
    if (!isDoc(value)) return undefined;
    value = value[part];
  }
  return value;
}

/** The values at a path of members, in every element of the arrays on the way and at its end; one undefined for none. */
export function valuesAt(document: Doc, path: string): readonly unknown[] {
  const inArrays = (values: readonly unknown[]) =>
    values.flatMap((value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]));
  let values: readonly unknown[] = [document];
  for (const part of path.split('.'))
    values = inArrays(values).map((value) => (isDoc(value) ? value[part] : undefined));
  const all = inArrays(values);
  return all.length === 0 ? [undefined] : all;
}

/** Text that equal values share, and others do not. */
export function keyText(...values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') return `s${only}`;
  return Buffer.from(serialize({ values: values.map((value) => value ?? null) })).toString('base64');
}

/** The order of the types, in which values of different ones compare. */
function rankOf(value: unknown): number {
  if (value instanceof MinKey) return 0;
  if (value === undefined || value === null) return 1;
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Long) return 2;
  if (typeof value === 'string') return 3;
  if (isDoc(value)) return 4;
  if (Array.isArray(value)) return 5;
  if (value instanceof Binary) return 6;
  if (value instanceof ObjectId) return 7;
  if (typeof value === 'boolean') return 8;
  if (value instanceof Date) return 9;
  if (value instanceof Timestamp) return 10;
  if (value instanceof MaxKey) return 12;
  return 11;
}

/** BSON's order of values: by type first, texts by their bytes. */
export function compareValues(a: unknown, b: unknown): number {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0) return ranks;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (a instanceof Binary && b instanceof Binary)
    return a.length() - b.length() || Buffer.compare(a.buffer, b.buffer);
  if (a instanceof ObjectId && b instanceof ObjectId) return Buffer.compare(a.id, b.id);
  if (isDoc(a) && isDoc(b)) return compareAll(Object.entries(a).flat(), Object.entries(b).flat());
  if (Array.isArray(a) && Array.isArray(b)) return compareAll(a, b);
  return Number(a) - Number(b) || 0;
}

/** Half of a character that takes two. */
const HALF = /[\ud800-\udfff]/;

/** The order of texts by the bytes of their UTF-8, which is that of JavaScript where no character takes two of its units. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (HALF.test(a) || HALF.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** The order of two lists of values, by the first that differs. */
export function compareAll(a: readonly unknown[], b: readonly unknown[]): number {
  for (let n = 0; n < Math.min(a.length, b.length); n++) {
    const order = compareValues(a[n], b[n]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
