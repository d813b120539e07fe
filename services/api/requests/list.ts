import { readPage, walletAddressOf, wholeInstants, type PageAsked } from '#application';
import type { FundRequestPage, FundRequestView, WithdrawalPage, WithdrawalView } from '#contracts';
import type { PersonKeys } from '#identity';
import { invariant, LodeError } from '#kernel';
import type { RequestDocument } from '#projections';
import type { ReadStoreReader } from '#read-store';
import type { Engines } from '../engines.js';
import type { Columns } from '../http/csv.js';
import { commonOf, decisionColumns, firstColumns, peopleOf, type People } from './view.js';

type Filter = PageAsked & {
  readonly userId?: string;
  readonly status?: string | undefined;
  readonly currency?: string | undefined;
};
type Named = { readonly userId: string; readonly requestId: string };

/** One page of fund requests, newest first, with the names of those they belong to and of those who decided. */
export function listFundRequests(store: ReadStoreReader, filter: Filter): Promise<FundRequestPage> {
  return list(store, 'Funding', filter, fundRequestView);
}

/** One fund request of a customer. Refuses with `request_not_found`. */
export function fundRequestOf(store: ReadStoreReader, named: Named): Promise<FundRequestView> {
  return one(store, 'Funding', named, fundRequestView);
}

/** What withdrawals are read from: their addresses are opened as they are read. */
type Sources = Pick<Engines, 'readStore' | 'identity'>;

/** One page of withdrawals, newest first, as `listFundRequests`. */
export function listWithdrawals({ readStore, identity }: Sources, filter: Filter): Promise<WithdrawalPage> {
  return list(readStore, 'withdrawal', filter, withdrawalViewBy(identity.personKeys));
}

/** One withdrawal of a customer. Refuses with `request_not_found`. */
export function withdrawalOf({ readStore, identity }: Sources, named: Named): Promise<WithdrawalView> {
  return one(readStore, 'withdrawal', named, withdrawalViewBy(identity.personKeys));
}

type ViewOf<View> = (row: RequestDocument, people: People) => View | Promise<View>;

async function list<View>(
  store: ReadStoreReader,
  type: RequestDocument['type'],
  filter: Filter,
  viewOf: ViewOf<View>,
) {
  const { userId, status, currency } = filter;
  const equals = Object.fromEntries(
    Object.entries({ userId, type, status, currency }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const page = await readPage(
    { ...filter, ...wholeInstants(filter), index: indexFor(equals), equals },
    (query) => store.list<RequestDocument>('requests', query),
    ['createdAt', 'id'],
  );
  const people = await peopleOf(store, page.items);
  return { ...page, items: await Promise.all(page.items.map((row) => viewOf(row, people))) };
}

async function one<View>(
  store: ReadStoreReader,
  type: RequestDocument['type'],
  { userId, requestId }: Named,
  viewOf: ViewOf<View>,
): Promise<View> {
  const row = await store.get<RequestDocument>('requests', requestId);
  if (row?.userId !== userId || row.type !== type)
    throw new LodeError('request_not_found', 'There is no such request.');
  return viewOf(row, await peopleOf(store, [row]));
}

function fundRequestView(row: RequestDocument, people: People): FundRequestView {
  const { convertedAmount, evidence } = row;
  invariant(evidence !== undefined, 'a fund request has evidence');
  return {
    ...commonOf(row, people),
    type: 'Funding',
    convertedAmount,
    evidence: evidence as FundRequestView['evidence'],
  };
}

function withdrawalViewBy(keys: PersonKeys): ViewOf<WithdrawalView> {
  return async (row, people) => {
    const { address, convertedAmount, hold, userId } = row;
    invariant(address !== undefined && hold !== undefined, 'a withdrawal has an address and a hold');
    const walletAddress = await walletAddressOf(keys, userId, address);
    return { ...commonOf(row, people), type: 'withdrawal', walletAddress, convertedAmount, hold };
  };
}

/** A fund request as a line of a file. */
export const fundRequestColumns: Columns<FundRequestView> = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ...firstColumns,
  ...decisionColumns,
  ['price', ({ decision }) => decision?.price],
  ['converted', ({ decision }) => decision?.converted],
];

/** A withdrawal as a line of a file. */
export const withdrawalColumns: Columns<WithdrawalView> = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ...firstColumns,
  ['walletAddress', ({ walletAddress }) => walletAddress],
  ['price', ({ hold }) => hold.price],
  ['converted', ({ hold }) => hold.converted],
  ['dollarRate', ({ hold }) => hold.rate],
  ['convertedAmount', ({ convertedAmount }) => convertedAmount],
  ...decisionColumns,
];

/** The read model's index for a filter: a person's requests have one for every filter, all people's one for each. */
function indexFor(equals: Readonly<Record<string, string>>): string {
  if ('userId' in equals) return 'user';
  if ('currency' in equals) return 'status' in equals ? 'currencyStatus' : 'currency';
  return 'status' in equals ? 'status' : 'all';
}
