import { sortablePosition, type StoredFact } from '#kernel';
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

/**
 * What the events of a stretch of the log add up to, for each kind of account and currency. The log is cut by ordinals
 * into stretches of four lengths, so that the sum as of any position is a few of the longest, at most 31 of each other
 * length, and the events of a short one that is not whole.
 */
export type TrialBalanceDocument = Document & {
  readonly level: BucketLevel;
  /** The ordinal of the last event that is counted here. */
  readonly ordinal: number;
  /** The position of the first event of the stretch, as `sortablePosition`: by it the stretch of a position is found. */
  readonly since: string;
  readonly sums: Sums;
};

/** Minor units by `sumsKey`, as text; what was never booked is left out. */
export type Sums = Readonly<Record<string, string>>;

/** Events a stretch of each length, as powers of two. */
const BITS = { short: 7, middle: 12, long: 17, longest: 22 } as const;
export type BucketLevel = keyof typeof BITS;

/** The lengths, the longest first. */
export const bucketLevels = ['longest', 'long', 'middle', 'short'] as const;

/** Digits of a stretch's number in base 36, so that the ids of a length sort as the stretches do. */
const BUCKET_DIGITS = 13;

/** The key of a kind of account in a currency. */
export function sumsKey(ledgerClass: LedgerClass, currency: Currency): string {
  return `${ledgerClass}/${currency}`;
}

/** The number of the stretch of a length that the event with an ordinal is in. */
function bucketOf(level: BucketLevel, ordinal: number): number {
  return Math.floor(ordinal / 2 ** BITS[level]);
}

/** The id of a stretch's document. */
function bucketId(level: BucketLevel, bucket: number): string {
  return `${level}/${bucket.toString(36).padStart(BUCKET_DIGITS, '0')}`;
}

/**
 * Id range of all stretches of one length before the one that holds `ordinal`, within the next longer stretch. Added up
 * over all lengths they are everything before the shortest stretch of that event.
 */
export function bucketRange(
  level: BucketLevel,
  ordinal: number,
): { readonly from: string; readonly to: string } {
  const longer = bucketLevels[bucketLevels.indexOf(level) - 1];
  const first = longer === undefined ? 0 : bucketOf(longer, ordinal) * 2 ** (BITS[longer] - BITS[level]);
  return { from: bucketId(level, first), to: bucketId(level, bucketOf(level, ordinal)) };
}

/** What an event's postings add to lines of the trial balance. */
export type Deltas = readonly (readonly [key: string, amount: Minor])[];

export function deltasOf(postings: readonly StoredPosting[]): Deltas {
  return postings.map(({ account, amount, currency }) => [
    sumsKey(classOf(account), currency),
    parseMoney(amount, currency),
  ]);
}

/** Sums with some more added to them. */
export function addDeltas(sums: Sums, deltas: Deltas): Sums {
  if (deltas.length === 0) return sums;
  const after: Record<string, string> = { ...sums };
  for (const [key, amount] of deltas) {
    const before = after[key];
    after[key] = before === undefined ? String(amount) : String(BigInt(before) + amount);
  }
  return after;
}

/** The postings of any event as they are stored; none when it moves no money. */
export function postingsIn({ data }: Pick<StoredFact, 'data'>): readonly StoredPosting[] {
  const { postings } = data;
  return isPostings(postings) ? postings : [];
}

function isPostings(value: unknown): value is readonly StoredPosting[] {
  return Array.isArray(value);
}

/**
 * What all accounts of a kind add up to, in stretches of the log. Every event is counted, whether or not it moves money:
 * the position of a document is that of the last event it knows, from where the rest is read.
 */
export const trialBalance = logModel<TrialBalanceDocument>({
  name: 'trial-balance',
  version: 4,
  oldestServed: 4,
  indexes: [{ name: 'since', equals: ['level'], order: ['since'] }],
  on: (stored, ordinal): readonly Change<TrialBalanceDocument>[] => {
    const { position } = stored;
    const since = sortablePosition(position);
    const deltas = deltasOf(postingsIn(stored));
    const levels = deltas.length === 0 ? quietLevels : bucketLevels;
    return levels.map((level) => {
      const id = bucketId(level, bucketOf(level, ordinal));
      return {
        id,
        change: (before) => ({
          id,
          level,
          // An event that was parked comes after later ones.
          ordinal: Math.max(ordinal, before?.ordinal ?? 0),
          position,
          since: earlier(since, before?.since),
          sums: addDeltas(before?.sums ?? {}, deltas),
        }),
      };
    });
  },
  ownerOf: () => null,
  isShared: true,
  isQuiet: true,
});

function earlier(since: string, before: string | undefined): string {
  return before === undefined || since < before ? since : before;
}

/** Of an event that moves nothing only the place counts: of where the whole log stands, and where a rest begins. */
const quietLevels = ['longest', 'short'] as const;
