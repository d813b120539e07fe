import { docsOf, isDoc, type Doc } from './values.js';

/**
 * A command, or a statement of one, with the server's clock in place of `$$NOW`: in its pipelines, and below `$expr` in its
 * filters. It is the same instant throughout.
 */
export function atTime(command: Doc, now: Date): Doc {
  return mapped(command, (key, value) => {
    if (['pipeline', 'update', 'u', 'updateMods'].includes(key))
      return Array.isArray(value) ? placed(value, now) : value;
    if (['filter', 'query', 'q'].includes(key)) return inFilter(value, now);
    if (['updates', 'ops', 'deletes'].includes(key)) return docsOf(value).map((one) => atTime(one, now));
    return value;
  });
}

function inFilter(filter: unknown, now: Date): unknown {
  if (!isDoc(filter)) return filter;
  return mapped(filter, (key, value) => {
    if (key === '$expr') return placed(value, now);
    const isOfFilters = ['$and', '$or', '$nor'].includes(key);
    return isOfFilters ? docsOf(value).map((one) => inFilter(one, now)) : value;
  });
}

function placed(value: unknown, now: Date): unknown {
  if (value === '$$NOW') return now;
  if (Array.isArray(value)) return value.map((one) => placed(one, now));
  if (!isDoc(value)) return value;
  return mapped(value, (key, one) => {
    if (key === '$literal') return one;
    return key === '$match' ? inFilter(one, now) : placed(one, now);
  });
}

function mapped(document: Doc, by: (key: string, value: unknown) => unknown): Doc {
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [key, by(key, value)]));
}
