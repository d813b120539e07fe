import { parseMoney, type Currency, type Why } from '#contracts';
import { displayPrice, isZero } from '../../lib';

export type WhyEntry = Why['entries'][number];

const titles: Readonly<Record<string, string>> = {
  FundingConfirmed: 'Funding confirmed',
  WalletCredited: 'Credited by hand',
  WalletDebited: 'Debited by hand',
  // What it is, on every screen: no mining earned it.
  BonusAccrued: 'Promotional bonus paid by the operator',
};

/** An event's name as a reader says it; one that this version doesn't know is its own name in words. */
export function titleOf(type: string): string {
  return (
    titles[type] ??
    type.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  );
}

/** How an entry touched the balance; a hold only moves money within it. */
export function directionOf({ change, heldChange }: WhyEntry): 'credit' | 'debit' | 'held' {
  if (isZero(change) && !isZero(heldChange)) return 'held';
  return change.startsWith('-') ? 'debit' : 'credit';
}

/** What the movement was worth in the other currency: what it was paid in, and at which price; empty when it has none. */
export function conversionOf(entry: WhyEntry, shown: Currency): string {
  if (entry.currency === undefined || entry.price === undefined) return '';
  return shown === 'USD'
    ? `in ${entry.currency} at ${displayPrice(entry.price)} USD`
    : `at ${displayPrice(entry.price)} USD`;
}

export type Proof = 'adds-up' | 'more-to-load' | 'broken';

/**
 * Adds the shown entries up again, in the reader's own browser: each balance has to be the one below it and its own
 * change, the first entry has to start from nothing, and the newest has to end at the balance.
 */
export function proofOf(
  { currency, balance }: Pick<Why, 'currency' | 'balance'>,
  entries: readonly WhyEntry[],
  before: number | null,
): Proof {
  const amount = (text: string) => parseMoney(text, currency);
  const newest = entries[0];
  if (newest !== undefined && amount(newest.balanceAfter) !== amount(balance)) return 'broken';
  const follows = entries.every((entry, index) => {
    const older = entries[index + 1];
    if (older === undefined && before !== null) return true;
    return amount(entry.balanceAfter) - amount(entry.change) === amount(older?.balanceAfter ?? '0');
  });
  if (!follows || (newest === undefined && !isZero(balance))) return 'broken';
  return before === null ? 'adds-up' : 'more-to-load';
}

const small = [
  'No',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
];

/** The sentence under a statement that adds up. */
export function sumOf(count: number, stream: string): string {
  const name = count === 1 ? 'event' : 'events';
  return `${small[count] ?? String(count)} ${name} of ${stream} ${count === 1 ? 'adds' : 'add'} up to this balance.`;
}

/** The balances of a page, oldest first, as heights between 0 and 1; a line needs two. */
export function stepsOf(page: Why | undefined): readonly number[] {
  const balances = (page?.entries ?? []).map((entry) => parseMoney(entry.balanceAfter, 'USD')).reverse();
  if (balances.length < 2) return [];
  const top = balances.reduce((a, b) => (a > b ? a : b));
  const bottom = balances.reduce((a, b) => (a < b ? a : b));
  const span = top - bottom;
  // A share of the line's height: only the shape of the line hangs on it, never a figure.
  return balances.map((balance) => (span === 0n ? 0.5 : Number(((balance - bottom) * 1000n) / span) / 1000));
}
