import { invariant, LodeError } from '#kernel';
import { displayScale, scales, type Currency, type PaymentCurrency } from './currencies.js';

/** Decimal places of a price: US dollars for one unit of a currency. */
export const PRICE_SCALE = 8;

/** Decimal places of the dollar rate: units of the payout currency for one US dollar. */
export const RATE_SCALE = 8;

/** Decimal places of an amount in the payout currency. */
export const PAYOUT_SCALE = 2;

/** An amount in minor units of a currency that the context names. */
export type Minor = bigint;

/** The largest amount, in minor units, that any engine or client can hold: 2^63 − 1. */
export const MAX_MINOR: Minor = 2n ** 63n - 1n;

const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/;

/** What is said of an amount that won't do. */
export const INVALID_AMOUNT = 'Please enter a valid amount.';

/**
 * Minor units for a decimal string at `scale` places. Refuses with `amount_invalid` what is not a plain decimal number,
 * has more decimals than the scale (it never rounds what a person typed), or exceeds `MAX_MINOR` in size, in the words
 * that are given.
 */
export function parseDecimal(text: string, scale: number, words = INVALID_AMOUNT): Minor {
  const plain = parsePlain(text, scale);
  if (plain !== undefined) return BigInt(plain);
  const match = DECIMAL.exec(text);
  const fraction = match?.[3] ?? '';
  if (match === null || fraction.length > scale) throw new LodeError('amount_invalid', words);
  const size = BigInt((match[2] ?? '0') + fraction.padEnd(scale, '0'));
  if (size > MAX_MINOR) throw new LodeError('amount_invalid', words);
  return match[1] === '-' ? -size : size;
}

/** Digits that a number holds exactly, with the sign and the point. */
const PLAIN_LENGTH_MAX = 15;
const [MINUS, POINT, ZERO] = [45, 46, 48];

/** Minor units of an amount as `formatDecimal` writes it, when a number holds them; undefined for every other text. */
function parsePlain(text: string, scale: number): number | undefined {
  const { length } = text;
  const isNegative = text.charCodeAt(0) === MINUS;
  const point = length - scale - 1;
  const first = isNegative ? 1 : 0;
  if (scale === 0 || length > PLAIN_LENGTH_MAX || point <= first || text.charCodeAt(point) !== POINT)
    return undefined;
  let minor = 0;
  for (let at = first; at < length; at++) {
    if (at === point) continue;
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    minor = minor * 10 + digit;
  }
  return isNegative ? -minor : minor;
}

/** The decimal string of minor units at `scale` places, all of them written: `12345n` at 2 is `123.45`. */
export function formatDecimal(minor: Minor, scale: number): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Minor units of `currency` for a decimal string; errors as `parseDecimal`. */
export function parseMoney(text: string, currency: Currency, words = INVALID_AMOUNT): Minor {
  return parseDecimal(text, scales[currency], words);
}

/** The decimal string for minor units of `currency`, with all its decimals. */
export function formatMoney(minor: Minor, currency: Currency): string {
  return formatDecimal(minor, scales[currency]);
}

/**
 * A decimal string as a screen shows it: cut (never rounded up, so that nothing looks larger than it is) to
 * `displayScale`, thousands parted by commas, U+2212 for minus.
 */
export function displayMoney(decimal: string, currency: Currency): string {
  const shown = displayScale(currency);
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const text = `${grouped}.${fraction.slice(0, shown).padEnd(shown, '0')}`;
  const isZero = /^[0,.]*$/.test(text);
  return decimal.startsWith('-') && !isZero ? `−${text}` : text;
}

/**
 * What `amount` of US dollars (minor units) is in `currency` at `price` (US dollars for one unit, at `PRICE_SCALE`),
 * rounded towards zero to the currency's scale.
 */
export function convertFromUsd(amount: Minor, currency: PaymentCurrency, price: Minor): Minor {
  invariant(price > 0n, 'a price is more than zero');
  const numerator = amount * 10n ** BigInt(scales[currency] + PRICE_SCALE - scales.USD);
  return numerator / price;
}

/** What a balance of `currency` is worth at `price` in US dollars (minor units), rounded down. */
export function convertToUsd(balance: Minor, currency: PaymentCurrency, price: Minor): Minor {
  invariant(price > 0n, 'a price is more than zero');
  const factor = 10n ** BigInt(scales[currency] + PRICE_SCALE - scales.USD);
  return (balance * price) / factor;
}

/** The amount without its sign. */
export function sizeOf(minor: Minor): Minor {
  return minor < 0n ? -minor : minor;
}

/** True when the number stays within what the log, the engines and the clients can hold. */
export function fits(minor: Minor): boolean {
  return minor <= MAX_MINOR && minor >= -MAX_MINOR;
}
