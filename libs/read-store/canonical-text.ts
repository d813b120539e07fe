import { canonicalJson, type Json } from '#kernel';

/**
 * The same text as the kernel's `canonicalJson`, sooner: a value whose keys already stand in canonical order, as those
 * of a document do that was read or that was changed by spreading, is what the engine's own JSON gives.
 */
export function canonicalText(value: Json): string {
  return isInOrder(value) ? JSON.stringify(value) : canonicalJson(value);
}

function isInOrder(value: Json | undefined): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  const object = value as Readonly<Record<string, Json | undefined>>;
  let before = '';
  for (const key in object) {
    if (key < before || !isInOrder(object[key])) return false;
    before = key;
  }
  return true;
}
