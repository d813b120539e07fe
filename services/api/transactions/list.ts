import type { NotificationPage, TransactionPage, TransactionView } from '#contracts';
import type { NotificationDocument, TransactionDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import type { Columns } from '../http/csv.js';
import { readPage } from '../http/paging.js';
import { accountsOf, nameOf } from '../wallet/people.js';
import { descriptions, sentenceOf } from './words.js';

type Rows = { readonly cursor?: string | undefined; readonly limit: number };
type Filter = Rows & {
  readonly userId?: string;
  readonly type?: string | undefined;
  readonly currency?: string | undefined;
};

/** One page of movements, newest first, with the names of those whose they are. */
export async function listTransactions(store: ReadStoreReader, filter: Filter): Promise<TransactionPage> {
  const { userId, type, currency, cursor, limit } = filter;
  const equals = Object.fromEntries(
    Object.entries({ userId, type, currency }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const page = await readPage(
    { index: indexFor(equals), equals, cursor, limit },
    (query) => store.list<TransactionDocument>('transactions', query),
    ['place', 'id'],
  );
  const people = await accountsOf(
    store,
    page.items.map((row) => row.userId),
  );
  const items = page.items.map(({ place: _, ...row }) => ({
    ...row,
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
  { userId, cursor, limit }: Rows & { readonly userId: string },
): Promise<NotificationPage> {
  const page = await readPage(
    { index: 'user', equals: { userId }, cursor, limit },
    (query) => store.list<NotificationDocument>('notifications', query),
    ['place', 'id'],
  );
  const items = page.items.map((row) => {
    const { id, kind, reason, amount, currency, requestId, created, position } = row;
    return {
      id,
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

/** The read model's index for a filter: a person's movements have one for every filter, all people's one for each. */
function indexFor(equals: Readonly<Record<string, string>>): string {
  if ('userId' in equals) return 'user';
  if ('currency' in equals) return 'type' in equals ? 'typeCurrency' : 'currency';
  return 'type' in equals ? 'type' : 'all';
}
