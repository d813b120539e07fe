import { invariant } from './errors.js';

/** JSON as the log knows it: no numbers that could lose digits are needed, but safe integers may appear. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/**
 * JSON with its object keys in code-unit order and `undefined` members left out, so that equal values have equal text:
 * the text is what the hash chain covers. Numbers must be safe integers; amounts are strings long before they get here.
 *
 * Names must need no escapes: V8's `JSON.parse` (Node 24 and 26) can read an escaped name back as another one when it has
 * seen a name that begins with a backslash before, and then the log would not give back what was written.
 */
export function canonicalJson(value: Json): string {
  if (value === null) return 'null';
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') {
    invariant(Number.isSafeInteger(value), `canonical JSON holds safe integers only, not ${value}`);
    return String(value);
  }
  invariant(typeof value === 'object', `canonical JSON holds no ${typeof value}`);
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const key of sorted(Object.keys(value))) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${names.get(key) ?? nameOf(key)}${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Names that were met, as they stand in the text: there are few, and each event has most of them. */
const names = new Map<string, string>();
/** Beyond as many, names are no longer remembered: then they come from outside. */
const NAMES_MAX = 1_000;

function nameOf(key: string): string {
  const name = JSON.stringify(key);
  invariant(name.length === key.length + 2, `the name of a member needs no escapes, as ${name} does`);
  const text = `${name}:`;
  if (names.size < NAMES_MAX) names.set(key, text);
  return text;
}

/** Members up to which sorting by insertion is the soonest. */
const FEW = 24;

/** The same array in code-unit order. */
function sorted(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let from = 1; from < keys.length; from++) {
    const key = keys[from] ?? '';
    let at = from;
    for (; at > 0 && (keys[at - 1] ?? '') > key; at--) keys[at] = keys[at - 1] ?? '';
    keys[at] = key;
  }
  return keys;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
