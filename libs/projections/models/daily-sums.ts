import {
  classOf,
  parseMoney,
  type Currency,
  type LedgerClass,
  type Minor,
  type StoredPosting,
} from '#ledger';
import type { Document } from '#read-store';
import { logModel, type Change } from '../read-model.js';
import { postingsIn } from './trial-balance.js';

/** What is added up, by the name of its member. */
export const dailySumNames = ['bonus', 'byHand', 'held', 'in', 'out'] as const;
export type DailySumName = (typeof dailySumNames)[number];

/**
 * What moved in one currency in a stretch of the calendar, in UTC: minor units as text.
 *
 * - `in`: came from outside into customers' accounts (`operator/deposits`).
 * - `out`: left customers' accounts for outside (`operator/payouts`).
 * - `bonus`: the operator paid as promotional bonus (`operator/bonus`).
 * - `byHand`: admins credited, less what they debited (`operator/adjustments`).
 * - `held`: was set aside for open requests, less what was given back or paid (`customer/{id}/held`). What is held at the end
 *   of a day is all of it up to there.
 */
export type DailySumsDocument = Document & Readonly<Record<DailySumName, string>>;

/** What one event adds, in minor units. */
type Moved = Readonly<Record<DailySumName, Minor>>;
const nothing: Moved = { bonus: 0n, byHand: 0n, held: 0n, in: 0n, out: 0n };

/** Characters of `2026-01-31`, and of its month. */
const DAY = 10;
const MONTH = 7;
const CHARACTERS = { day: DAY, month: MONTH } as const;
export type SumsLevel = keyof typeof CHARACTERS;

/**
 * The id of the sums of a currency in the day or month that a moment is in: an ISO instant in UTC, or a day. Those of one
 * currency sort by time, so that a stretch of them is a range of ids.
 */
export function sumsId(level: SumsLevel, currency: Currency, moment: string): string {
  return `${level}/${currency}/${moment.slice(0, CHARACTERS[level])}`;
}

/**
 * What moved by day, and by month so that what was held before a day is at most a document a month and one a day of its own.
 * An event counts where its own time is, so that one whose clock had gone back counts on the earlier day: the order of the log changes
 * no sum. What moves nothing of it, or only between customers, is in none.
 */
export const dailySums = logModel<DailySumsDocument>({
  name: 'daily-sums',
  version: 1,
  indexes: [],
  on: (stored): readonly Change<DailySumsDocument>[] => {
    const { at, position } = stored;
    return [...movedBy(postingsIn(stored))].flatMap(([currency, moved]) =>
      levels.map((level) => {
        const id = sumsId(level, currency, at);
        return {
          id,
          change: (before: DailySumsDocument | undefined) => plus(before, moved, { id, position }),
        };
      }),
    );
  },
  ownerOf: () => null,
  isShared: true,
  isQuiet: true,
});

const levels = ['day', 'month'] as const satisfies readonly SumsLevel[];

/** What postings come to in each currency where it is anything. */
function movedBy(postings: readonly StoredPosting[]): ReadonlyMap<Currency, Moved> {
  const all = new Map<Currency, Moved>();
  for (const { account, amount, currency } of postings) {
    const [name, sign] = countedAs[classOf(account)] ?? [];
    if (name === undefined || sign === undefined) continue;
    const moved = all.get(currency) ?? nothing;
    all.set(currency, { ...moved, [name]: moved[name] + sign * parseMoney(amount, currency) });
  }
  for (const [currency, moved] of all)
    if (dailySumNames.every((name) => moved[name] === 0n)) all.delete(currency);
  return all;
}

/** The operator's accounts are the other side of what customers have: what comes in is taken from them. */
const countedAs: Readonly<Partial<Record<LedgerClass, readonly [DailySumName, Minor]>>> = {
  adjustments: ['byHand', -1n],
  bonus: ['bonus', -1n],
  customersHeld: ['held', 1n],
  deposits: ['in', -1n],
  payouts: ['out', 1n],
};

function plus(
  before: DailySumsDocument | undefined,
  moved: Moved,
  { id, position }: Document,
): DailySumsDocument {
  const sum = (name: DailySumName) => String(BigInt(before?.[name] ?? '0') + moved[name]);
  // In canonical order, as in the other models.
  return {
    bonus: sum('bonus'),
    byHand: sum('byHand'),
    held: sum('held'),
    id,
    in: sum('in'),
    out: sum('out'),
    position,
  };
}
