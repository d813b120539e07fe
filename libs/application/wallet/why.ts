import type { Why } from '#contracts';
import { accountNotFound, chainHolds, chainStart, type Actor, type StreamEvent } from '#kernel';
import { accountStream, formatMoney, paymentCurrencies, type Currency, type OpenAccount } from '#ledger';
import type { EventStore } from '#event-store';
import { postingsIn } from '#projections';
import type { Aggregates } from '../aggregates.js';
import type { AccountHistory } from './history.js';
import { balanceOf, changeIn, isChange, runningBalanceAt, type RunningBalance } from './running.js';

/** Events of a stream that one answer looks at; an answer with fewer entries says where to go on. */
const SCAN_MAX = 512;
/** Events that are read at a time. */
const CHUNK = 64;

type Entry = Why['entries'][number];
export type WhyParts = {
  readonly aggregates: { readonly accounts: Pick<Aggregates['accounts'], 'load'> };
  readonly eventStore: EventStore;
  readonly history: AccountHistory;
};
export type WhyAsked = {
  readonly userId: string;
  readonly currency: Currency;
  readonly before: number | undefined;
  readonly limit: number;
};

/**
 * Why a balance is what it is, from the log itself: the events that moved it, newest first, each with the balance that
 * it left. The names of those who acted are put in by `nameOf`. Refuses with `account_not_found`.
 */
export async function whyThisBalance(
  { aggregates, eventStore, history }: WhyParts,
  { userId, currency, before, limit }: WhyAsked,
  nameOf: (ids: readonly string[]) => Promise<(actor: Actor) => string>,
): Promise<Why> {
  const stream = accountStream(userId);
  const { state, revision, chain } = await aggregates.accounts.load(stream);
  if (state.kind === 'none') throw accountNotFound();
  const newest = Math.min(before ?? revision + 1, revision + 1) - 1;
  const scanned = await scan(eventStore, { userId, currency, before, limit }, newest);
  let balance =
    newest === revision
      ? runningBalanceOf(state, currency)
      : runningBalanceAt(await history.asOf(userId, { revision: newest }), currency);
  const entries: Omit<Entry, 'actor'>[] = [];
  const actors: Actor[] = [];
  let next: number | null = null;
  for (const event of scanned.events) {
    const change = changeIn(event, userId, currency);
    if (!isChange(change)) continue;
    if (entries.length === limit) {
      next = event.revision + 1;
      break;
    }
    entries.push(entryOf(event, currency, change, balance));
    actors.push(event.meta.actor);
    balance = { total: balance.total - change.total, held: balance.held - change.held };
  }
  const name = await nameOf(actors.map(({ id }) => id));
  return {
    userId,
    stream,
    currency,
    ...balanceOf(runningBalanceOf(state, currency), currency),
    revision,
    entries: entries.flatMap((entry, index) => {
      const actor = actors[index];
      if (actor === undefined) return [];
      return [{ ...entry, actor: { id: actor.id, role: actor.role, name: name(actor) } }];
    }),
    before: next ?? scanned.before,
    chainVerified:
      scanned.chained && (newest !== revision || (scanned.events[0]?.meta.chain ?? chainStart) === chain),
  };
}

/**
 * Events from `newest` down until more than `limit` of them moved the balance, whether their chain holds, and where an
 * older answer would begin.
 */
async function scan(store: EventStore, { userId, currency, limit }: WhyAsked, newest: number) {
  const events: StreamEvent[] = [];
  let chained = true;
  let moved = 0;
  let from = newest;
  while (from >= 0 && moved <= limit && events.length < SCAN_MAX) {
    const read = { from, direction: 'backwards', limit: CHUNK + 1 } as const;
    const page = await store.readStream(accountStream(userId), read);
    const part = page.slice(0, CHUNK);
    chained &&= part.every((event, index) =>
      chainHolds(event.revision === 0 ? chainStart : (page[index + 1]?.meta.chain ?? ''), event),
    );
    moved += part.filter((event) => isChange(changeIn(event, userId, currency))).length;
    events.push(...part);
    from = (part.at(-1)?.revision ?? 0) - 1;
  }
  return { events, chained, before: from < 0 ? null : from + 1 };
}

function runningBalanceOf(state: OpenAccount, currency: Currency): RunningBalance {
  return { total: state.available[currency] + state.held[currency], held: state.held[currency] };
}

/** One row of the answer, from what every movement has. What only some have is left out of the others. */
function entryOf(
  event: StreamEvent,
  currency: Currency,
  change: RunningBalance,
  after: RunningBalance,
): Omit<Entry, 'actor'> {
  const { data, meta } = event;
  const { price, requestId, transferId } = data;
  const request = requestId ?? transferId;
  const paidIn = paymentCurrencies.find((one) => one === data['currency']);
  return {
    eventId: event.id,
    type: event.type,
    revision: event.revision,
    ...(event.position === undefined ? {} : { position: event.position }),
    at: event.at,
    change: formatMoney(change.total, currency),
    heldChange: formatMoney(change.held, currency),
    balanceAfter: formatMoney(after.total, currency),
    postings: [...postingsIn(event)],
    ...(meta.reason === undefined ? {} : { reason: meta.reason }),
    ...(typeof request === 'string' ? { requestId: request } : {}),
    ...(paidIn === undefined ? {} : { currency: paidIn }),
    ...(typeof price === 'string' ? { price } : {}),
    chain: meta.chain,
  };
}
