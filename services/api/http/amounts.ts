import type { Json } from '#kernel';

const DECIMAL = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/;
/** Decimals that an amount in US dollars is written with. */
const DECIMALS = 2;

/** An amount as all ways to write it are written: `10`, `10.0` and `010.00` are `10.00`. Any other text stays as it is. */
export function normalAmount(text: string): string {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return text;
  const normal = `${whole}.${fraction.padEnd(DECIMALS, '0')}`;
  return /[1-9]/.test(normal) ? sign + normal : normal;
}

/** The body of a command with its `amount` and each of its `amounts` written as all are; itself when they are so already. */
export function withNormalAmounts(body: Json): Json {
  if (!hasMembers(body)) return body;
  const [amount, amounts] = [normalText(body['amount']), normalTexts(body['amounts'])];
  if (amount === body['amount'] && amounts === body['amounts']) return body;
  return {
    ...body,
    ...(amount === body['amount'] ? {} : { amount }),
    ...(amounts === body['amounts'] ? {} : { amounts }),
  };
}

function normalText(value: Json | undefined): Json | undefined {
  return typeof value === 'string' ? normalAmount(value) : value;
}

function normalTexts(value: Json | undefined): Json | undefined {
  if (!hasMembers(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => normalText(value[name]) === value[name])) return value;
  return Object.fromEntries(names.map((name) => [name, normalText(value[name])]));
}

function hasMembers(value: Json | undefined): value is { readonly [name: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
