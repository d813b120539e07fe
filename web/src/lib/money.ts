import { displayScale, formatMoney, parseMoney, type Currency } from '#contracts';

const MINUS = '−';

function group(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * A decimal string in full: nothing is cut, so that lines of a statement add up under the reader's eyes. Zeros beyond
 * the currency's display scale are left out.
 */
export function exactMoney(decimal: string, currency: Currency): string {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const shown = fraction.replace(/0+$/, '').padEnd(displayScale(currency), '0');
  return `${decimal.startsWith('-') ? MINUS : ''}${group(whole)}.${shown}`;
}

/** As `exactMoney`, with a plus before what was credited. */
export function signedMoney(decimal: string, currency: Currency): string {
  const text = exactMoney(decimal, currency);
  return text.startsWith(MINUS) || isZero(decimal) ? text : `+${text}`;
}

/** True for nothing at all, however it is written. */
export function isZero(decimal: string): boolean {
  return !/[1-9]/.test(decimal);
}

/** The sum of two decimal strings of one currency. */
export function addMoney(a: string, b: string, currency: Currency): string {
  return formatMoney(parseMoney(a, currency) + parseMoney(b, currency), currency);
}

/** A price without the zeros that say nothing: at least two decimals. */
export function displayPrice(decimal: string): string {
  return exactMoney(decimal, 'USD');
}

/** A whole number given as text, with its thousands parted. */
export function grouped(whole: string): string {
  return group(whole);
}
