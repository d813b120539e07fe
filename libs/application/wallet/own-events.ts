import type { AccountEvents, AccountState, OwnEvent } from '#contracts';
import type { EventStore } from '#event-store';
import type { PersonKeys } from '#identity';
import { accountNotFound, type StreamEvent } from '#kernel';
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

/** What the events of an account keep encrypted with its owner's key, by the names that it has there. */
const SEALED = ['profile', 'address', 'details'] as const;

/** A page of an account's events, each with what else is said of it. */
type PageWith<More> = Omit<AccountEvents, 'events'> & {
  readonly events: readonly (AccountEvents['events'][number] & More)[];
};

/** As `ownEvents`, with what the events keep encrypted: for whoever's account it is, and nobody else. */
export async function openedEvents(
  parts: OwnEventsParts & { readonly personKeys: Pick<PersonKeys, 'decryptFor'> },
  userId: string,
  asked: SliceAsked,
): Promise<PageWith<Pick<OwnEvent, 'opened'>>> {
  return pageWith(parts, userId, asked, async ({ data }) => {
    const sealed = SEALED.flatMap((name) => {
      const text = data[name];
      return typeof text === 'string' ? [{ name, text }] : [];
    });
    if (sealed.length === 0) return {};
    const opened = sealed.map(
      async ({ name, text }) => [name, await parts.personKeys.decryptFor(userId, text)] as const,
    );
    return { opened: Object.fromEntries(await Promise.all(opened)) as OwnEvent['opened'] };
  });
}

/**
 * A page of what happened to an account, each event with what the account was right after it, by the fold of the read
 * model. What events keep encrypted, and how they came to be, is left out. Refuses with `account_not_found`.
 */
export async function ownEvents(
  parts: OwnEventsParts,
  userId: string,
  asked: SliceAsked,
): Promise<AccountEvents> {
  const { events, ...page } = await pageWith(parts, userId, asked, async () => ({}));
  return { ...page, events: [...events] };
}

async function pageWith<More extends object>(
  { eventStore, readStore, history }: OwnEventsParts,
  userId: string,
  asked: SliceAsked,
  moreOf: (event: StreamEvent) => Promise<More>,
): Promise<PageWith<More>> {
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
  const told = oldestFirst.map(async (event, n) => {
    const { actor } = event.meta;
    return {
      ...factsOf(event),
      by: { role: actor.role, name: actorName(people.get(actor.id), actor) },
      after: stateOf(states[n]),
      ...(await moreOf(event)),
    };
  });
  const events = await Promise.all(told);
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
