import type { TrialPostingsQuery } from '#contracts';
import {
  comparePositions,
  logStart,
  sha256,
  sortablePosition,
  type Position,
  type RecordedEvent,
} from '#kernel';
import {
  classOf,
  formatMoney,
  parseMoney,
  type Currency,
  type LedgerClass,
  type StoredPosting,
} from '#ledger';
import { postingsIn, sumsKey, type TrialBalanceDocument } from '#projections';
import { idIndex } from '#read-store';
import { decodeCursor, scannedPage, type Cursor, type Page } from '../paging.js';
import { placeAt, stretchOf, type Books, type LogMoment } from './trial-balance.js';

/** Events that the shortest stretch of the log holds. */
const STRETCH_EVENTS = 128;
/** Stretches that are looked up at a time. */
const CHUNK = 100;
/** Stretches that one page may pass over because nothing in them touched the cell, and those whose events it may read. */
const PASSED_MAX = 1_000;
const READ_MAX = 24;
/** Digits of a hash that tell one list from another. */
const LIST_NAME = 32;

/** A cell of the trial balance. */
type Cell = { readonly account: LedgerClass; readonly currency: Currency };
/** Which cell, as of when, and which page of what is behind it. */
export type CellAsked = Cell &
  Pick<TrialPostingsQuery, 'cursor' | 'limit'> & { readonly moment: LogMoment | undefined };

/** What an event added to a cell, and by which of its postings. */
export type Behind = {
  readonly event: RecordedEvent;
  readonly amount: string;
  readonly postings: readonly StoredPosting[];
};

/** Which way the log is gone through; the events are between two places, as `sortablePosition`, both exclusive. */
type Walk = {
  readonly direction: 'ascending' | 'descending';
  /** Empty for the whole log. */
  readonly after: string;
  readonly before: string;
  /** Rows that are enough. */
  readonly limit: number;
};

/**
 * One page of the events that make a cell of the trial balance what it is as of a moment, newest first: over all pages
 * their amounts add up to the cell. A page ends early, with a cursor, when it has looked at as much of the log as it may.
 */
export async function trialPostingsAt(
  books: Books,
  asked: CellAsked,
): Promise<Page<Behind> & { readonly position: Position }> {
  const { account, currency, limit, moment } = asked;
  const position = await placeAt(books.readStore, moment);
  const list = sha256(JSON.stringify([account, currency, momentName(moment)])).slice(0, LIST_NAME);
  const cursor = asked.cursor === undefined ? undefined : decodeCursor(asked.cursor, list, 1);
  const found = await walk(books, asked, {
    ...boundsOf(cursor, sortablePosition(position)),
    limit: limit + 1,
  });
  const rows = found.rows.slice(0, limit);
  const places = rows.map((event) => sortablePosition(event.position));
  const edge = found.rows.length > limit ? places.at(-1) : found.stopped;
  const events = cursor?.way === 'previous' ? rows.toReversed() : rows;
  return {
    position,
    ...scannedPage({ cursor, list, limit, places, edge }),
    items: events.map((event) => {
      const postings = postingsOf(asked, event);
      const sum = postings.reduce((all, { amount }) => all + parseMoney(amount, currency), 0n);
      return { event, amount: formatMoney(sum, currency), postings };
    }),
  };
}

function momentName(moment: LogMoment | undefined): string | number | null {
  if (moment === undefined) return null;
  return 'position' in moment ? moment.position : moment.time;
}

/** After every place with the same beginning. */
const beyond = (place: string) => `${place}~`;

function boundsOf(cursor: Cursor | undefined, top: string): Omit<Walk, 'limit'> {
  const key = cursor?.keys[0] ?? '';
  if (cursor?.way === 'previous') return { direction: 'ascending', after: key, before: beyond(top) };
  if (cursor === undefined) return { direction: 'descending', after: '', before: beyond(top) };
  const isInclusive = cursor.inclusive === true;
  return { direction: 'descending', after: '', before: isInclusive ? beyond(key) : key };
}

/** An event's postings that are part of a cell. */
function postingsOf({ account, currency }: Cell, event: RecordedEvent): readonly StoredPosting[] {
  return postingsIn(event).filter((one) => one.currency === currency && classOf(one.account) === account);
}

type Walked = {
  readonly rows: readonly RecordedEvent[];
  /** The place up to which all was looked at, when there is more. */
  readonly stopped?: string;
};

/** The events of a cell, stretch by stretch: what a stretch adds up to says whether it has any. */
async function walk(books: Books, cell: Cell, range: Walk): Promise<Walked> {
  const rows: RecordedEvent[] = [];
  const key = sumsKey(cell.account, cell.currency);
  let last: TrialBalanceDocument | undefined;
  let read = 0;
  for (let passed = 0; passed < PASSED_MAX; passed += CHUNK) {
    const chunk = await stretchesOf(books, range, last);
    for (const stretch of chunk) {
      last = stretch;
      if (stretch.sums[key] === undefined) continue;
      rows.push(...(await eventsOf(books, cell, stretch, range)));
      if (rows.length >= range.limit) return { rows };
      if (++read >= READ_MAX) return { rows, stopped: edgeOf(stretch, range) };
      await books.timers.yieldNow();
    }
    if (chunk.length < CHUNK) return { rows };
  }
  return last === undefined ? { rows } : { rows, stopped: edgeOf(last, range) };
}

/** The short stretches that have events of a range, those after `last`. */
async function stretchesOf(
  { readStore }: Books,
  { direction, after, before }: Walk,
  last: TrialBalanceDocument | undefined,
): Promise<readonly TrialBalanceDocument[]> {
  const lowest = after === '' ? undefined : await stretchOf(readStore, after);
  return readStore.list<TrialBalanceDocument>('trial-balance', {
    index: 'since',
    equals: { level: 'short' },
    direction,
    ...(lowest === undefined ? {} : { from: lowest.since }),
    to: before,
    limit: CHUNK,
    ...(last === undefined ? {} : { after: [last.since, last.id] }),
  });
}

/** Up to where all is looked at once a stretch is. */
function edgeOf({ position, since }: TrialBalanceDocument, { direction }: Walk): string {
  return direction === 'descending' ? since : sortablePosition(position);
}

/** The events of a stretch that touch a cell, in the direction of the walk. */
async function eventsOf(
  { eventStore, readStore }: Books,
  cell: Cell,
  stretch: TrialBalanceDocument,
  { direction, after, before }: Walk,
): Promise<readonly RecordedEvent[]> {
  const [earlier] = await readStore.list<TrialBalanceDocument>('trial-balance', {
    index: idIndex,
    equals: {},
    direction: 'descending',
    from: 'short/',
    to: stretch.id,
    limit: 1,
  });
  const start: Position = earlier?.position ?? logStart;
  const events = await eventStore.readAll(start, STRETCH_EVENTS);
  const touching = events.filter((event) => {
    const place = sortablePosition(event.position);
    return (
      comparePositions(event.position, stretch.position) <= 0 &&
      place > after &&
      place < before &&
      postingsOf(cell, event).length > 0
    );
  });
  return direction === 'descending' ? touching.toReversed() : touching;
}
