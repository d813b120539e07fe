import type { EventStore } from '#event-store';
import { comparePositions, hasCode, type Position } from '#kernel';
import { idIndex, type ReadStoreReader } from '#read-store';
import type { Found } from './look.js';

/** Events by their types. */
export type Counts = Readonly<Record<string, number>>;

type Models = Pick<ReadStoreReader, 'checkpoint' | 'get' | 'keys' | 'list'>;

/** A sum of counts: types that count, and types that take away. */
const sum = (counts: Counts, types: readonly string[], less: readonly string[] = []) =>
  of(counts, types) - of(counts, less);
const of = (counts: Counts, types: readonly string[]) =>
  types.reduce((total, type) => total + (counts[type] ?? 0), 0);

/**
 * How many documents a collection has by the events alone: of each type that makes one, and of none that takes one away. It
 * says again what the read models say in their own words, so that it is independent of their code.
 */
const DOCUMENTS: Readonly<Record<string, (counts: Counts) => number>> = {
  accounts: (counts) => of(counts, ['AccountOpened']),
  requests: (counts) => of(counts, ['FundingRequested', 'WithdrawalRequested']),
  transfers: (counts) => of(counts, ['TransferRequested']),
  events: (counts) => of(counts, Object.keys(counts)),
};

/** What the one document of the totals counts, by the events alone. */
const TOTALS: Readonly<Record<string, (counts: Counts) => number>> = {
  confirmedRequests: (counts) => of(counts, ['FundingConfirmed', 'WithdrawalConfirmed']),
  paidWithdrawals: (counts) => of(counts, ['WithdrawalConfirmed']),
  pendingFunding: (counts) => sum(counts, ['FundingRequested'], ['FundingConfirmed', 'FundingRejected']),
  pendingWithdrawals: (counts) =>
    sum(counts, ['WithdrawalRequested'], ['WithdrawalConfirmed', 'WithdrawalRejected']),
  pendingTransfers: (counts) => sum(counts, ['TransferRequested'], ['TransferConfirmed', 'TransferRejected']),
};

const PAGE = 1_000;

/**
 * Compares what the read models count with what the log up to a place does. They go on meanwhile: how many documents there
 * are lies between what the log gave before they were counted and after it. `behind` where one of them is not there yet.
 */
export async function compareCounts(
  log: Pick<EventStore, 'readAll'>,
  models: Models,
  { after, counts }: { readonly after: Position; readonly counts: Counts },
): Promise<readonly Found[] | 'behind'> {
  const names = [...Object.keys(DOCUMENTS), 'totals'];
  try {
    for (const name of names)
      if (comparePositions((await models.checkpoint(name)).position, after) < 0) return 'behind';
    // What is parked, or left out, is rightly not in them.
    if ((await models.list('parked', { ...everything, limit: 1 })).length > 0) return [];
    const found: Found[] = [];
    for (const [name, expected] of Object.entries(DOCUMENTS)) {
      const count = await countOf(models, name);
      const upTo = (await models.checkpoint(name)).position;
      const later = await countedUpTo(log, { after, counts }, upTo);
      if (count < expected(counts) || count > expected(later))
        found.push(wrong(name, count, expected(later)));
    }
    return [...found, ...(await compareTotals(log, models, { after, counts }))];
  } catch (error) {
    if (hasCode(error, 'unavailable')) return 'behind';
    throw error;
  }
}

async function compareTotals(
  log: Pick<EventStore, 'readAll'>,
  models: Models,
  place: { readonly after: Position; readonly counts: Counts },
): Promise<readonly Found[]> {
  const document = await models.get('totals', 'totals');
  // Nothing that counts has happened.
  if (document === undefined) return [];
  const counts = await countedUpTo(log, place, document.position);
  return Object.entries(TOTALS)
    .map(([member, expected]) => [member, Number(Reflect.get(document, member)), expected(counts)] as const)
    .filter(([, is, should]) => is !== should)
    .map(([member, is, should]) => ({
      what: `The totals say ${is} for ${member}, and the log ${should}: they are built anew.`,
      rebuild: 'totals',
    }));
}

function wrong(name: string, count: number, expected: number): Found {
  return {
    what: `The read model ${name} has ${count} documents, and the log gives ${expected}: it is built anew.`,
    rebuild: name,
  };
}

const everything = { index: idIndex, equals: {}, direction: 'ascending' } as const;

async function countOf(models: Models, name: string): Promise<number> {
  let count = 0;
  for (let after: readonly string[] | undefined; ;) {
    const more = after === undefined ? {} : { after };
    const page = await models.keys(name, { ...everything, ...more, limit: PAGE });
    count += page.length;
    if (page.length < PAGE) return count;
    after = page.at(-1);
  }
}

/** The counts of a place, and of what follows it up to a position. */
async function countedUpTo(
  log: Pick<EventStore, 'readAll'>,
  { after, counts }: { readonly after: Position; readonly counts: Counts },
  upTo: Position,
): Promise<Counts> {
  const next: Record<string, number> = { ...counts };
  for (let at = after; comparePositions(at, upTo) < 0;) {
    const page = await log.readAll(at, PAGE);
    for (const { type, position } of page)
      if (comparePositions(position, upTo) <= 0) next[type] = (next[type] ?? 0) + 1;
    const last = page.at(-1);
    if (last === undefined) break;
    at = last.position;
  }
  return next;
}
