import type { NotificationPage, NotificationView, TransactionPage, TransactionView } from '#contracts';
import { sortablePosition } from '#kernel';
import {
  eventPlace,
  type EventDocument,
  type NotificationDocument,
  type TransactionDocument,
} from '#projections';
import { idIndex, type ReadStoreReader } from '#read-store';
import type { Columns } from '../http/csv.js';
import { readPage, wholeInstants, type PageAsked } from '#application';
import { accountsOf, nameOf } from '#application';
import { descriptions, sentenceOf } from './words.js';

type Filter = PageAsked & {
  readonly userId?: string;
  readonly type?: string | undefined;
  readonly currency?: string | undefined;
};

/** One page of movements, newest first, with the names of those whose they are. */
export async function listTransactions(store: ReadStoreReader, filter: Filter): Promise<TransactionPage> {
  const { userId, type, currency } = filter;
  const equals = Object.fromEntries(
    Object.entries({ userId, type, currency }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const page = await readPage(
    { ...filter, ...(await placesOf(store, filter)), index: indexFor(equals), equals },
    (query) => store.list<TransactionDocument>('transactions', query),
    ['id'],
  );
  const people = await accountsOf(
    store,
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

/** A movement as a line of a file. */
export const transactionColumns: Columns<TransactionView> = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['customer', ({ customer }) => customer],
  ['userId', ({ userId }) => userId],
  ['type', ({ type }) => type],
  ['description', ({ description }) => description],
  ['amountUsd', ({ amount }) => amount],
  ['balanceUsd', ({ balance }) => balance],
  ['currency', ({ currency }) => currency],
  ['converted', ({ converted }) => converted],
  ['currencyBalance', ({ currencyBalance }) => currencyBalance],
  ['requestId', ({ requestId }) => requestId],
];

/** One page of what a customer is told, newest first. */
export async function listNotifications(
  store: ReadStoreReader,
  { userId, ...asked }: PageAsked & { readonly userId: string },
): Promise<NotificationPage> {
  const page = await readPage(
    { ...asked, ...(await placesOf(store, asked)), index: 'user', equals: { userId } },
    (query) => store.list<NotificationDocument>('notifications', query),
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

/** A notification as a line of a file. */
export const notificationColumns: Columns<NotificationView> = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['kind', ({ kind }) => kind],
  ['sentence', ({ sentence }) => sentence],
  ['amountUsd', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['reason', ({ reason }) => reason],
  ['requestId', ({ requestId }) => requestId],
];

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
