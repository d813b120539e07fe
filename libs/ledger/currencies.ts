import { currencyTable } from './currency-table.js';

type Entry = (typeof currencyTable)[number];
type PayableEntry = Extract<Entry, { readonly isPayable: true }>;

/** What the platform keeps books in: the wallet's own US dollars, and what requests are paid in. */
export type Currency = Entry['code'];

/** What a request can be paid in. */
export type PaymentCurrency = PayableEntry['code'];

/** The member of the deposit details that says where deposits in a currency go. */
export type DepositAddressField = PayableEntry['depositField'];

const entries: readonly Entry[] = currencyTable;
const payable = entries.filter((entry): entry is PayableEntry => entry.isPayable);

/** What requests can be paid in, in the order in which forms offer it. */
export const paymentChoices: readonly PaymentCurrency[] = payable.map(({ code }) => code);

/** What forms have chosen at first, and what a wallet shows before the others. */
export const mainPaymentCurrency: PaymentCurrency = 'BTC';

/** What requests can be paid in, by code. */
export const paymentCurrencies: readonly PaymentCurrency[] = paymentChoices.toSorted();

/** The wallet's own currency, then what requests can be paid in, by code. */
export const currencies: readonly Currency[] = [
  ...entries.filter(({ isPayable }) => !isPayable).map(({ code }) => code),
  ...paymentCurrencies,
];

/** The members of the deposit details that are addresses, by name. */
export const depositAddressFields: readonly DepositAddressField[] = [
  ...new Set(payable.map(({ depositField }) => depositField)),
].toSorted();

/** A value for each key, in the order of the keys. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> {
  const record: Partial<Record<Key, Value>> = {};
  for (const key of keys) record[key] = valueOf(key);
  return record as Record<Key, Value>;
}

/** A value for each currency. */
export function perCurrency<Value>(valueOf: (currency: Currency) => Value): Record<Currency, Value> {
  return recordOf(currencies, valueOf);
}

/** A value for each currency that requests can be paid in. */
export function perPaymentCurrency<Value>(
  valueOf: (currency: PaymentCurrency) => Value,
): Record<PaymentCurrency, Value> {
  return recordOf(paymentCurrencies, valueOf);
}

function entryOf<Some extends Entry>(some: readonly Some[], currency: Some['code']): Some {
  const entry = some.find(({ code }) => code === currency);
  if (entry === undefined) throw new Error(`the table has no such currency as ${currency}`);
  return entry;
}

/** Decimal places of each currency's minor unit. */
export const scales: Readonly<Record<Currency, number>> = perCurrency((code) => entryOf(entries, code).scale);

const displayScales = perCurrency((code) => entryOf(entries, code).displayScale);

/** How many decimals a screen shows of an amount. */
export function displayScale(currency: Currency): number {
  return displayScales[currency];
}

/** The member of the deposit details that says where deposits in each currency go. */
export const depositFieldOf: Readonly<Record<PaymentCurrency, DepositAddressField>> = perPaymentCurrency(
  (code) => entryOf(payable, code).depositField,
);

/** The codes that requests can be paid in as a sentence lists them: `BTC, PI or USDT`. */
export function paymentCurrenciesIn(words: 'and' | 'or'): string {
  const last = paymentCurrencies.at(-1) ?? '';
  return `${paymentCurrencies.slice(0, -1).join(', ')} ${words} ${last}`;
}

/** Currencies that there were when the read models' versions were first counted. */
const CURRENCIES_AT_FIRST = 4;

/**
 * The version of a read model whose documents have a member for each currency: it rises with each currency that is added,
 * so that the documents are built anew.
 */
export function versionWithCurrencies(version: number): number {
  return version + currencies.length - CURRENCIES_AT_FIRST;
}
