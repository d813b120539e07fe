import type { FundRequestPage, FundRequestView } from '#contracts';
import type { Document, ReadStoreReader } from '#read-store';
import { readPage } from '../http/paging.js';
import { accountsOf, nameOf } from '../wallet/people.js';

/** A request's document in the read model: no personal data, and who decided by id. */
type RequestDocument = Document & Omit<FundRequestView, 'customer' | 'email' | 'accountNumber'>;

type Filter = {
  readonly userId?: string;
  readonly status?: string | undefined;
  readonly currency?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** One page of fund requests, newest first, with the names of those they belong to and of those who decided. */
export async function listFundRequests(store: ReadStoreReader, filter: Filter): Promise<FundRequestPage> {
  const { userId, status, currency, cursor, limit } = filter;
  const equals = Object.fromEntries(
    Object.entries({ userId, type: 'Funding', status, currency }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const page = await readPage(
    { index: indexFor(equals), equals, cursor, limit },
    (query) => store.list<RequestDocument>('requests', query),
    ['createdAt', 'id'],
  );
  const people = await accountsOf(
    store,
    page.items.flatMap((row) => (row.decision === null ? [row.userId] : [row.userId, row.decision.by])),
  );
  return {
    ...page,
    items: page.items.map((row) => {
      const owner = people.get(row.userId);
      return {
        ...row,
        customer: nameOf(owner),
        email: owner?.email ?? '',
        accountNumber: owner?.accountNumber ?? '',
        decision: row.decision === null ? null : { ...row.decision, by: nameOf(people.get(row.decision.by)) },
      };
    }),
  };
}

/** The read model's index for a filter: a person's requests have one for every filter, all people's one for each. */
function indexFor(equals: Readonly<Record<string, string>>): string {
  if ('userId' in equals) return 'user';
  if ('currency' in equals) return 'status' in equals ? 'currencyStatus' : 'currency';
  return 'status' in equals ? 'status' : 'all';
}
