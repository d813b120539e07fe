import type { NotificationPage, TransactionPage } from '#contracts';
import { sortablePosition } from '#kernel';
import {
  eventPlace,
  type EventDocument,
  type NotificationDocument,
  type TransactionDocument,
} from '#projections';
import { idIndex, type ReadStoreReader } from '#read-store';
import { filtersIn, readPage, wholeInstants, type PageAsked } from '../paging.js';
import { accountsOf, nameOf } from '../people/names.js';
import type { Ports } from '../ports.js';
import { descriptions, sentenceOf } from './words.js';
import { Query } from '../message.js';

/** Which movements are asked for, and which page of them. */
type Filter = PageAsked & {
  readonly userId?: string;
  readonly type?: string | undefined;
  readonly currency?: string | undefined;
};

/** One page of movements, newest first, with the names of those whose they are. */
export class ListTransactions extends Query<TransactionPage> {
  constructor(readonly filter: Filter) {
    super();
  }
}

export class ListTransactionsHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute({ filter }: ListTransactions): Promise<TransactionPage> {
    const { readStore } = this.parts;
    const { userId, type, currency } = filter;
    const equals = filtersIn({ userId, type, currency });
    const page = await readPage(
      { ...filter, ...(await placesOf(readStore, filter)), index: indexFor(equals), equals },
      (query) => readStore.list<TransactionDocument>('transactions', query),
      ['id'],
    );
    const people = await accountsOf(
      readStore,
      page.items.map((row) => row.userId),
    );
    const items = page.items.map(({ eventId, ...row }) => ({
      ...row,
      id: eventId,
      customer: nameOf(people.get(row.userId)),
      description: descriptions[row.source],
    }));
    return { ...page, items };
  }
}

/** One page of what a customer is told, newest first. */
export class ListNotifications extends Query<NotificationPage> {
  constructor(readonly filter: PageAsked & { readonly userId: string }) {
    super();
  }
}

export class ListNotificationsHandler {
  constructor(private readonly parts: Pick<Ports, 'readStore'>) {}

  async execute({ filter }: ListNotifications): Promise<NotificationPage> {
    const { readStore } = this.parts;
    const { userId, ...asked } = filter;
    const page = await readPage(
      { ...asked, ...(await placesOf(readStore, asked)), index: 'user', equals: { userId } },
      (query) => readStore.list<NotificationDocument>('notifications', query),
      ['id'],
    );
    const items = page.items.map((row) => {
      const { eventId, kind, reason, amount, currency, requestId, created, position } = row;
      return {
        id: eventId,
        kind,
        sentence: sentenceOf(row),
        reason,
        amount,
        currency,
        requestId,
        created,
        position,
      };
    });
    return { ...page, items };
  }
}

/** After the place of every event. */
const LAST_PLACE = '~';

/** The instants of a query as places in the log: that of the first event which is not before it. */
async function placesOf(store: ReadStoreReader, asked: PageAsked): Promise<Pick<PageAsked, 'from' | 'to'>> {
  const { from, to } = wholeInstants(asked);
  const placeAt = async (instant: string | undefined) => {
    if (instant === undefined) return undefined;
    const [first] = await store.list<EventDocument>('events', {
      index: idIndex,
      equals: {},
      direction: 'ascending',
      from: eventPlace(instant),
      limit: 1,
    });
    return first === undefined ? LAST_PLACE : sortablePosition(first.position);
  };
  return { from: await placeAt(from), to: await placeAt(to) };
}

/** The read model's index for a filter: a person's movements have one for every filter, all people's one for each. */
function indexFor(equals: Readonly<Record<string, string>>): string {
  if ('userId' in equals) return 'user';
  if ('currency' in equals) return 'type' in equals ? 'typeCurrency' : 'currency';
  return 'type' in equals ? 'type' : idIndex;
}
