import { displayScale, formatMoney, parseMoney, type Currency } from '#contracts';
import { currentDisplay } from './display';

const MINUS = '−';

function group(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** How languages write numbers; they take long to make, and there are few of them. */
const languages = new Map<string, Intl.NumberFormat>();

/** A whole and its decimals as the account's language writes them, digit by digit: no float comes near them. */
function written(whole: string, decimals: string): string {
  const { language } = currentDisplay();
  if (language === 'standard') return `${group(whole)}.${decimals}`;
  const numbers = languages.get(language) ?? new Intl.NumberFormat(language);
  languages.set(language, numbers);
  const point = numbers.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  return `${numbers.format(BigInt(whole))}${point}${decimals}`;
}

/**
 * A decimal string in full: nothing is cut, so that lines of a statement add up under the reader's eyes. Zeros beyond
 * the currency's display scale are left out.
 */
export function exactMoney(decimal: string, currency: Currency): string {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const shown = fraction.replace(/0+$/, '').padEnd(displayScale(currency), '0');
  return `${decimal.startsWith('-') ? MINUS : ''}${written(whole, shown)}`;
}

/** A decimal string as cards show it: cut to the currency's display scale. Not for sums that have to add up in view. */
export function displayMoney(decimal: string, currency: Currency): string {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const shown = displayScale(currency);
  const decimals = fraction.slice(0, shown).padEnd(shown, '0');
  const sign = decimal.startsWith('-') && !isZero(whole + decimals) ? MINUS : '';
  return sign + written(whole, decimals);
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

/**
 * The amount as the service takes it: without spaces, and without the commas that part its thousands. Any other comma
 * stays, and makes it no amount: `12,50` is twelve and a half to whoever types that, and must not become 1,250.
 */
export function plainAmount(text: string): string {
  return text
    .replace(/\s/g, '')
    .replace(/^[1-9]\d{0,2}(?:,\d{3})+(?=$|\.)/, (whole) => whole.replaceAll(',', ''));
}

/** True when the text is an amount of dollars above zero with at most two decimals. */
export function isAmount(text: string): boolean {
  try {
    return parseMoney(plainAmount(text), 'USD') > 0n;
  } catch {
    return false;
  }
}

/** True when the text is an amount of dollars above a limit that is a decimal string; what is no amount is above none. */
export function isAbove(text: string, limit: string): boolean {
  return isAmount(text) && parseMoney(plainAmount(text), 'USD') > parseMoney(limit, 'USD');
}
