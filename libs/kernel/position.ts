declare const positionBrand: unique symbol;

/**
 * A place in the whole log: opaque outside the store, a string on every wire, later events having later positions. Its
 * text is a decimal number without leading zeros; it can exceed 2^53, so it is compared as text, and a `Number` of it may
 * be inexact.
 */
export type Position = string & { readonly [positionBrand]: true };

/** Before the first event. */
export const logStart = '0' as Position;

const POSITION = /^(?:0|[1-9]\d{0,19})$/;

/** The position that `text` names, or undefined when it names none. */
export function parsePosition(text: string): Position | undefined {
  return POSITION.test(text) ? (text as Position) : undefined;
}

/** The position for a whole number that a store counts with. */
export function positionOf(number: bigint | number): Position {
  return String(number) as Position;
}

/** Negative when `a` is before `b`, zero when they are the same, positive when `a` is after `b`. */
export function comparePositions(a: Position, b: Position): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Digits of the longest position in base 36. */
const SORTABLE_DIGITS = 13;
/** A position with fewer decimal digits is a number that JavaScript counts exactly, and is converted sooner. */
const SAFE_DIGITS = 16;

/** A position as a short text that sorts as positions do: for the keys and indexes of documents. */
export function sortablePosition(position: Position): string {
  const number = position.length < SAFE_DIGITS ? Number(position) : BigInt(position);
  return number.toString(36).padStart(SORTABLE_DIGITS, '0');
}
