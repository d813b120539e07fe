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
  if (typeof value === 'string') return textOf(value);
  // For a value whose keys are already sorted, JSON.stringify gives the same text, and is faster.
  if (isOrdered(value)) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  invariant(typeof value === 'object' && value !== null, 'a value without members is in order');
  let text = '';
  for (const key of sorted(Object.keys(value))) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${names.get(key) ?? nameOf(key)}${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** True when the keys of every object in a value are sorted. Throws for what canonical JSON cannot hold. */
function isOrdered(value: Json): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') {
    invariant(Number.isSafeInteger(value), `canonical JSON holds safe integers only, not ${value}`);
    return true;
  }
  invariant(typeof value === 'object', `canonical JSON holds no ${typeof value}`);
  if (isArray(value)) return value.every(isOrdered);
  let last = '';
  for (const key in value) {
    const member = value[key];
    if (key < last || (member !== undefined && !isOrdered(member))) return false;
    if (!names.has(key)) nameOf(key);
    last = key;
  }
  return true;
}

/** The longest text for which checking each character here is faster than JSON.stringify. */
const SHORT = 80;
const [SPACE, QUOTE, BACKSLASH, SURROGATES] = [0x20, 0x22, 0x5c, 0xd800];

/** The same as `JSON.stringify(value)`, but faster for short texts without escapes. */
function textOf(value: string): string {
  if (value.length > SHORT) return JSON.stringify(value);
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || code >= SURROGATES)
      return JSON.stringify(value);
  }
  return `"${value}"`;
}

/** Keys seen before, each with its JSON text. There are few, and most events have the same ones. */
const names = new Map<string, string>();
/** More keys than this are not cached: then they do not come from Lode's own code. */
const NAMES_MAX = 1_000;

function nameOf(key: string): string {
  const name = JSON.stringify(key);
  invariant(name.length === key.length + 2, `the name of a member needs no escapes, as ${name} does`);
  const text = `${name}:`;
  if (names.size < NAMES_MAX) names.set(key, text);
  return text;
}

/** The most keys for which insertion sort is faster than Array.sort. */
const FEW = 24;

/** Sorts an array in place, in code-unit order. */
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
