import type { Statement } from '#contracts';
import type { EventStore } from '#event-store';
import { accountNotFound, sha256, type StreamEvent } from '#kernel';
import { accountStream, formatMoney, type Currency } from '#ledger';
import { decodeCursor, encodeCursor, notOfThisList, type Cursor } from '../paging.js';
import { periodOf } from './calendar.js';
import { factsOf } from './event-facts.js';
import type { AccountAt, AccountHistory } from './history.js';
import { balanceOf, changeIn, isChange, runningBalanceAt, type RunningBalance } from './running.js';

/** Events that one page looks at; one with fewer entries than it may have says where to go on. */
const SCAN_MAX = 1_024;
/** Events that are read at a time. */
const CHUNK = 64;
/** Characters of a hash that tell one statement from another. */
const LIST_NAME = 32;

type Entry = Statement['entries'][number];
export type StatementParts = { readonly eventStore: EventStore; readonly history: AccountHistory };
/** Whose statement of which balance and days is asked for, and which page of it. */
export type StatementAsked = Pick<Statement, 'userId' | 'currency' | 'from' | 'to' | 'zone'> & {
  readonly cursor: string | undefined;
  readonly limit: number;
};
/** A statement as a page of a list. */
export type StatementPage = Omit<Statement, 'entries'> & { readonly items: readonly Entry[] };

/** The events of the period, by their revisions: both are part of it, and there are none when the last is before the first. */
type Bounds = { readonly first: number; readonly last: number };
/** Where a page begins: at an event, whose entry would have this number. */
type Start = { readonly revision: number; readonly first: number };

/**
 * One balance over a period of days, from the log: opening and closing are what the account's events up to the first one
 * after each bound fold to, and the entries are what lies between the two. So statements whose periods follow each other
 * chain, also where the clock of the server once went back. Refuses with `account_not_found`.
 */
export async function statementOf(parts: StatementParts, asked: StatementAsked): Promise<StatementPage> {
  const { userId, currency, from, to, zone } = asked;
  const { begins, ends } = periodOf(from, to, zone);
  const opening = await parts.history.asOf(userId, { time: begins - 1 });
  const closing = await parts.history.asOf(userId, { time: ends - 1 });
  if (closing === undefined && (await parts.history.asOf(userId, undefined)) === undefined)
    throw accountNotFound();
  const bounds = { first: (opening?.revision ?? -1) + 1, last: closing?.revision ?? -1 };
  const list = sha256(JSON.stringify([userId, currency, from, to, zone])).slice(0, LIST_NAME);
  const start = await startOf(parts, asked, bounds, list);
  const before =
    start.revision === bounds.first
      ? opening
      : await parts.history.asOf(userId, { revision: start.revision - 1 });
  const { items, next } = await pageFrom(parts, asked, { ...bounds, first: start.revision }, before);
  const [was, is] = [runningBalanceAt(opening, currency), runningBalanceAt(closing, currency)];
  const cursor = (way: Cursor['way'], revision: number, first: number) =>
    encodeCursor({ way, keys: [String(revision)], first, list });
  return {
    userId,
    currency,
    from,
    to,
    zone,
    begins: new Date(begins).toISOString(),
    ends: new Date(ends).toISOString(),
    opening: balanceOf(was, currency),
    closing: balanceOf(is, currency),
    change: formatMoney(is.total - was.total, currency),
    revision: closing?.revision ?? null,
    ...(closing?.position === undefined ? {} : { position: closing.position }),
    items,
    first: start.first,
    next: next === undefined ? null : cursor('next', next, start.first + items.length),
    previous: start.revision <= bounds.first ? null : cursor('previous', start.revision, start.first),
  };
}

/** Where the page that is asked for begins. */
async function startOf(
  { eventStore }: StatementParts,
  asked: StatementAsked,
  bounds: Bounds,
  list: string,
): Promise<Start> {
  if (asked.cursor === undefined) return { revision: bounds.first, first: 1 };
  const { way, keys, first } = decodeCursor(asked.cursor, list, 1);
  const revision = Number(keys[0]);
  const isWithin = Number.isSafeInteger(revision) && revision >= bounds.first && revision <= bounds.last;
  if (!isWithin) throw notOfThisList();
  if (way === 'next') return { revision, first };
  return startBefore(eventStore, asked, { revision, first }, bounds);
}

/** Where the page begins whose entries come right before those of another. */
async function startBefore(
  store: EventStore,
  { userId, currency, limit }: StatementAsked,
  after: Start,
  bounds: Bounds,
): Promise<Start> {
  let from = after.revision - 1;
  let [found, scanned, earliest] = [0, 0, after.revision];
  while (from >= bounds.first && scanned < SCAN_MAX) {
    const read = { from, direction: 'backwards', limit: Math.min(CHUNK, from - bounds.first + 1) } as const;
    const page = await store.readStream(accountStream(userId), read);
    if (page.length === 0) break;
    for (const event of page) {
      if (isChange(changeIn(event, userId, currency))) {
        // One more than there is room for: what is before the page's first entry moves nothing.
        if (found === limit) return { revision: earliest, first: after.first - found };
        found += 1;
        earliest = event.revision;
      }
      from = event.revision - 1;
      scanned += 1;
    }
  }
  const first = Math.max(1, after.first - found);
  return { revision: from < bounds.first ? bounds.first : from + 1, first };
}

/** At most a page of entries from the first event on, and the event that the next page begins at. */
async function pageFrom(
  { eventStore }: StatementParts,
  { userId, currency, limit }: StatementAsked,
  { first, last }: Bounds,
  before: AccountAt | undefined,
): Promise<{ readonly items: readonly Entry[]; readonly next: number | undefined }> {
  const items: Entry[] = [];
  let running = runningBalanceAt(before, currency);
  for (let from = first; from <= last;) {
    if (from - first >= SCAN_MAX) return { items, next: from };
    const read = { from, limit: Math.min(CHUNK, last - from + 1) };
    const page = await eventStore.readStream(accountStream(userId), read);
    if (page.length === 0) break;
    for (const event of page) {
      const change = changeIn(event, userId, currency);
      from = event.revision + 1;
      if (!isChange(change)) continue;
      if (items.length === limit) return { items, next: event.revision };
      running = { total: running.total + change.total, held: running.held + change.held };
      items.push(entryOf(event, currency, change, running));
    }
  }
  return { items, next: undefined };
}

function entryOf(
  event: StreamEvent,
  currency: Currency,
  change: RunningBalance,
  after: RunningBalance,
): Entry {
  return {
    ...factsOf(event),
    change: formatMoney(change.total, currency),
    heldChange: formatMoney(change.held, currency),
    after: balanceOf(after, currency),
  };
}
