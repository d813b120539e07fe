import type { TrialBalance } from '#contracts';
import { comparePositions, logStart, sortablePosition, type Position, type Timers } from '#kernel';
import { currencies, formatMoney, ledgerClasses, perCurrency, type Currency, type Minor } from '#ledger';
import {
  bucketLevels,
  bucketRange,
  deltasOf,
  eventPlace,
  postingsIn,
  sumsKey,
  type EventDocument,
  type TrialBalanceDocument,
} from '#projections';
import { idIndex, limits, type ReadStoreReader } from '#read-store';
import type { Log } from './find.js';

/** Events of the log that are read at a time: about as many as the shortest stretch holds. */
const PAGE = 128;

/** What customers are owed, and the other side of it. */
const owed: ReadonlySet<string> = new Set(['customersAvailable', 'customersHeld', 'transit']);

/** A place of the log, or an instant in milliseconds since the epoch: everything up to there. */
export type LogMoment = { readonly position: Position } | { readonly time: number };

/** Where the sums are, and what lets other work of the thread go on between two pages. */
export type Books = Log & { readonly timers: Pick<Timers, 'yieldNow'> };

/** All accounts by kind, as of a moment, or as of now when none is given. */
export async function trialBalanceAt(books: Books, moment: LogMoment | undefined): Promise<TrialBalance> {
  const { readStore } = books;
  const now = await sumsNow(readStore);
  if (moment === undefined) return balanceOf(now);
  const position = 'position' in moment ? moment.position : await positionAt(readStore, moment.time);
  if (comparePositions(position, now.position) >= 0) return balanceOf(now);
  return balanceOf(await sumsAt(books, position));
}

/** The place of the last event that is counted as of a moment, or as of now when none is given. */
export async function placeAt(store: ReadStoreReader, moment: LogMoment | undefined): Promise<Position> {
  const { position: now } = await sumsNow(store);
  if (moment === undefined) return now;
  const position = 'position' in moment ? moment.position : await positionAt(store, moment.time);
  return comparePositions(position, now) < 0 ? position : now;
}

/** Minor units by `sumsKey`, up to the event at a position. */
type Tally = { readonly sums: ReadonlyMap<string, Minor>; readonly position: Position };

/** All there is: the longest stretches, the last of which ends with the last event that the read models know. */
async function sumsNow(store: ReadStoreReader): Promise<Tally> {
  const all = await stretches(store, 'longest/', 'longest/~');
  const sums = new Map<string, Minor>();
  for (const stretch of all) addStretch(sums, stretch);
  return { sums, position: all.at(-1)?.position ?? logStart };
}

/** The whole stretches before a position, and the events from there on. At most as many as the shortest stretch holds. */
async function sumsAt(books: Books, position: Position): Promise<Tally> {
  const { readStore } = books;
  const stretch = await stretchOf(readStore, sortablePosition(position));
  const sums = new Map<string, Minor>();
  if (stretch === undefined) return { sums, position: logStart };
  for (const level of bucketLevels) {
    const { from, to } = bucketRange(level, stretch.ordinal);
    for (const whole of await stretches(readStore, from, to)) addStretch(sums, whole);
  }
  const { to } = bucketRange('short', stretch.ordinal);
  const [before] = await readStore.list<TrialBalanceDocument>('trial-balance', {
    index: idIndex,
    equals: {},
    direction: 'descending',
    from: 'short/',
    to,
    limit: 1,
  });
  return addEvents(books, { sums, position: before?.position ?? logStart }, position);
}

/**
 * The short stretch with the last event that is not after a place, given as `sortablePosition`; undefined when there is
 * none.
 */
export async function stretchOf(
  store: ReadStoreReader,
  place: string,
): Promise<TrialBalanceDocument | undefined> {
  const [stretch] = await store.list<TrialBalanceDocument>('trial-balance', {
    index: 'since',
    equals: { level: 'short' },
    direction: 'descending',
    // Bounds at the end are exclusive.
    to: `${place}~`,
    limit: 1,
  });
  return stretch;
}

/** Adds the events that follow, up to a position. */
async function addEvents(
  { eventStore, timers }: Pick<Books, 'eventStore' | 'timers'>,
  { sums, position: from }: { readonly sums: Map<string, Minor>; readonly position: Position },
  upTo: Position,
): Promise<Tally> {
  let last = from;
  while (comparePositions(last, upTo) < 0) {
    const page = await eventStore.readAll(last, PAGE);
    for (const event of page) {
      if (comparePositions(event.position, upTo) > 0) return { sums, position: last };
      for (const [key, amount] of deltasOf(postingsIn(event))) add(sums, key, amount);
      last = event.position;
    }
    if (page.length < PAGE) break;
    await timers.yieldNow();
  }
  return { sums, position: last };
}

function addStretch(sums: Map<string, Minor>, stretch: TrialBalanceDocument): void {
  for (const [key, amount] of Object.entries(stretch.sums)) add(sums, key, BigInt(amount));
}

function add(sums: Map<string, Minor>, key: string, amount: Minor): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

async function stretches(
  store: ReadStoreReader,
  from: string,
  to: string,
): Promise<readonly TrialBalanceDocument[]> {
  const all: TrialBalanceDocument[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await store.list<TrialBalanceDocument>('trial-balance', {
      index: idIndex,
      equals: {},
      direction: 'ascending',
      from,
      to,
      limit: limits.page,
      ...(last === undefined ? {} : { after: [last.id] }),
    });
    all.push(...page);
    if (page.length < limits.page) return all;
  }
}

/** The place of the last event that is not later than an instant, by time. */
async function positionAt(store: ReadStoreReader, time: number): Promise<Position> {
  const [last] = await store.list<EventDocument>('events', {
    index: idIndex,
    equals: {},
    direction: 'descending',
    to: eventPlace(new Date(time + 1).toISOString()),
    limit: 1,
  });
  return last?.position ?? logStart;
}

function balanceOf({ sums, position }: Tally): TrialBalance {
  const amountOf = (ledgerClass: (typeof ledgerClasses)[number], currency: Currency) =>
    sums.get(sumsKey(ledgerClass, currency)) ?? 0n;
  const add = (classes: readonly (typeof ledgerClasses)[number][]) =>
    amounts((currency) => classes.reduce((sum, one) => sum + amountOf(one, currency), 0n));
  const isZero = currencies.every(
    (currency) => ledgerClasses.reduce((sum, one) => sum + amountOf(one, currency), 0n) === 0n,
  );
  return {
    position,
    lines: ledgerClasses.map((account) => ({
      account,
      side: owed.has(account) ? 'customers' : 'operator',
      amounts: amounts((currency) => amountOf(account, currency)),
    })),
    liabilities: add(ledgerClasses.filter((one) => owed.has(one))),
    sum: add(ledgerClasses),
    balanced: isZero,
  };
}

function amounts(of: (currency: Currency) => Minor): Record<Currency, string> {
  return perCurrency((currency) => formatMoney(of(currency), currency));
}
