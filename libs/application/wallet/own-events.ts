import type { AccountEvents, AccountState } from '#contracts';
import type { EventStore } from '#event-store';
import { accountNotFound } from '#kernel';
import { accountStream } from '#ledger';
import type { AccountDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import { readSlice, type SliceAsked } from '../audit/stream.js';
import { accountsOf, actorName } from '../people/names.js';
import { factsOf } from './event-facts.js';
import { accountAlong, type AccountHistory } from './history.js';

export type OwnEventsParts = {
  readonly eventStore: EventStore;
  readonly readStore: ReadStoreReader;
  readonly history: AccountHistory;
};

/**
 * A page of what happened to an account, each event with what the account was right after it, by the fold of the read
 * model. What events keep encrypted, and how they came to be, is left out. Refuses with `account_not_found`.
 */
export async function ownEvents(
  { eventStore, readStore, history }: OwnEventsParts,
  userId: string,
  asked: SliceAsked,
): Promise<AccountEvents> {
  const slice = await readSlice(eventStore, accountStream(userId), asked);
  if (slice.revision === null) throw accountNotFound();
  const { revision, next, previous, chainVerified } = slice;
  const oldestFirst = slice.events.toSorted((a, b) => a.revision - b.revision);
  const first = oldestFirst[0]?.revision ?? 0;
  const before = first === 0 ? undefined : await history.asOf(userId, { revision: first - 1 });
  const states = accountAlong(userId, before?.account, oldestFirst);
  const people = await accountsOf(
    readStore,
    oldestFirst.map(({ meta: { actor } }) => actor.id),
  );
  const events = oldestFirst.map((event, n) => {
    const { actor } = event.meta;
    return {
      ...factsOf(event),
      by: { role: actor.role, name: actorName(people.get(actor.id), actor) },
      after: stateOf(states[n]),
    };
  });
  return {
    userId,
    revision,
    before: stateOf(before?.account),
    events: asked.order === 'newest' ? events.toReversed() : events,
    next,
    previous,
    chainVerified,
  };
}

function stateOf(account: AccountDocument | undefined): AccountState | null {
  if (account === undefined) return null;
  const { status, wallet, balances, totals } = account;
  return { status, wallet, balances, totals };
}
