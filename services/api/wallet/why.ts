import type { Why } from '#contracts';
import { chainHolds, chainStart, LodeError, type StreamEvent } from '#kernel';
import {
  accountStream,
  availableOf,
  formatMoney,
  heldOf,
  isBooked,
  postingsOf,
  sumOf,
  type AccountEvent,
  type Currency,
  type Minor,
  type OpenAccount,
} from '#ledger';
import type { EventStore } from '#event-store';
import type { Ledger } from '../commands/ledger.js';

/** Events of a stream that one answer looks at; an answer with fewer entries says where to go on. */
const SCAN_MAX = 500;

type Entry = Why['entries'][number];
type Parts = { readonly ledger: Ledger; readonly eventStore: EventStore };
type Asked = {
  readonly userId: string;
  readonly currency: Currency;
  readonly before: number | undefined;
  readonly limit: number;
};
/** Balance and hold of one currency, in minor units. */
type Standing = { readonly total: Minor; readonly held: Minor };

/**
 * Why a balance is what it is, from the log itself: the events that moved it, newest first, each with the balance that
 * it left. The names of those who acted are put in by `nameOf`. Refuses with `account_not_found`.
 */
export async function whyThisBalance(
  { ledger, eventStore }: Parts,
  { userId, currency, before, limit }: Asked,
  nameOf: (ids: readonly string[]) => Promise<(id: string, role: string) => string>,
): Promise<Why> {
  const stream = accountStream(userId);
  const { state, revision, chain } = await ledger.accounts.load(stream);
  if (state.kind === 'none') throw new LodeError('account_not_found', 'User not found');
  const newest = Math.min(before ?? revision + 1, revision + 1) - 1;
  const scanned = await scan(eventStore, stream, newest);
  let standing =
    newest === revision
      ? standingOf(state, currency)
      : await standingAfter(eventStore, userId, currency, newest);
  const entries: Omit<Entry, 'actor'>[] = [];
  const actors: StreamEvent<AccountEvent>[] = [];
  let next: number | null = null;
  for (const event of scanned.events) {
    const change = changeOf(event, userId, currency);
    if (change.total === 0n && change.held === 0n) continue;
    if (entries.length === limit) {
      next = event.revision + 1;
      break;
    }
    entries.push(entryOf(event, currency, change, standing));
    actors.push(event);
    standing = { total: standing.total - change.total, held: standing.held - change.held };
  }
  const name = await nameOf(actors.map((event) => event.meta.actor.id));
  return {
    userId,
    stream,
    currency,
    ...balanceOf(standingOf(state, currency), currency),
    revision,
    entries: entries.map((entry, index) => {
      const { id, role } = actors[index]?.meta.actor ?? { id: '', role: '' };
      return { ...entry, actor: { id, role, name: name(id, role) } };
    }),
    before: next ?? scanned.before,
    chainVerified:
      scanned.chained && (newest !== revision || (scanned.events[0]?.meta.chain ?? chainStart) === chain),
  };
}

/** Events from `newest` down, whether their chain holds, and where an older answer would begin. */
async function scan(store: EventStore, stream: string, newest: number) {
  if (newest < 0) return { events: [], chained: true, before: null };
  const read = { from: newest, direction: 'backwards', limit: SCAN_MAX + 1 } as const;
  const page = (await store.readStream(stream, read)) as readonly StreamEvent<AccountEvent>[];
  const events = page.slice(0, SCAN_MAX);
  const chained = events.every((event, index) =>
    chainHolds(event.revision === 0 ? chainStart : (page[index + 1]?.meta.chain ?? ''), event),
  );
  return { events, chained, before: page.length > SCAN_MAX ? (events.at(-1)?.revision ?? null) : null };
}

/** What the account had in a currency right after one of its events: the postings up to it, added. */
async function standingAfter(
  store: EventStore,
  userId: string,
  currency: Currency,
  revision: number,
): Promise<Standing> {
  let standing: Standing = { total: 0n, held: 0n };
  for (let from = 0; from <= revision; from += SCAN_MAX) {
    const limit = Math.min(SCAN_MAX, revision - from + 1);
    for (const event of (await store.readStream(accountStream(userId), {
      from,
      limit,
    })) as readonly StreamEvent<AccountEvent>[]) {
      const change = changeOf(event, userId, currency);
      standing = { total: standing.total + change.total, held: standing.held + change.held };
    }
  }
  return standing;
}

function changeOf(event: AccountEvent, userId: string, currency: Currency): Standing {
  const postings = postingsOf(event);
  if (postings.length === 0) return { total: 0n, held: 0n };
  const held = sumOf(postings, heldOf(userId))[currency];
  return { total: held + sumOf(postings, availableOf(userId))[currency], held };
}

function standingOf(state: OpenAccount, currency: Currency): Standing {
  return { total: state.available[currency] + state.held[currency], held: state.held[currency] };
}

function balanceOf({ total, held }: Standing, currency: Currency) {
  return {
    balance: formatMoney(total, currency),
    available: formatMoney(total - held, currency),
    held: formatMoney(held, currency),
  };
}

function entryOf(
  event: StreamEvent<AccountEvent>,
  currency: Currency,
  change: Standing,
  after: Standing,
): Omit<Entry, 'actor'> {
  if (!isBooked(event)) throw new Error(`${event.type} moves no money`);
  const { data, meta } = event;
  return {
    eventId: event.id,
    type: event.type,
    revision: event.revision,
    ...(event.position === undefined ? {} : { position: event.position }),
    at: event.at,
    change: formatMoney(change.total, currency),
    heldChange: formatMoney(change.held, currency),
    balanceAfter: formatMoney(after.total, currency),
    postings: [...postingsOf(event)],
    ...(meta.reason === undefined ? {} : { reason: meta.reason }),
    ...('requestId' in data && typeof data.requestId === 'string' ? { requestId: data.requestId } : {}),
    currency: data.currency,
    price: data.price,
    chain: meta.chain,
  };
}
