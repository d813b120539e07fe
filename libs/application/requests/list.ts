import type { FundRequestPage, FundRequestView, WithdrawalPage, WithdrawalView } from '#contracts';
import type { PersonKeys } from '#identity';
import { invariant, LodeError } from '#kernel';
import type { RequestDocument } from '#projections';
import { decryptFields } from '../decrypted.js';
import { filtersIn, readPage, wholeInstants, type PageAsked } from '../paging.js';
import type { Ports } from '../ports.js';
import { walletAddressOf } from '../wallet/account-view.js';
import { commonOf, countsOf, peopleOf, type CountsById, type People, type RequestSources } from './view.js';
import { Query } from '../message.js';

/** Which requests of a kind are asked for, and which page of them. */
type Filter = PageAsked & {
  readonly userId?: string;
  readonly status?: string | undefined;
  readonly currency?: string | undefined;
};
/** Whose request is asked for, and which. */
type Named = { readonly userId: string; readonly requestId: string };

/** One page of fund requests, newest first, with the names of those they belong to and of those who decided. */
export class ListFundRequests extends Query<FundRequestPage> {
  constructor(readonly filter: Filter) {
    super();
  }
}

export class ListFundRequestsHandler {
  constructor(private readonly parts: RequestSources) {}

  execute({ filter }: ListFundRequests): Promise<FundRequestPage> {
    return list(this.parts, 'Funding', filter, fundRequestView);
  }
}

/** One fund request of a customer. Refuses with `request_not_found`. */
export class GetFundRequest extends Query<FundRequestView> {
  constructor(readonly named: Named) {
    super();
  }
}

export class GetFundRequestHandler {
  constructor(private readonly parts: RequestSources) {}

  execute({ named }: GetFundRequest): Promise<FundRequestView> {
    return one(this.parts, 'Funding', named, fundRequestView);
  }
}

/** One page of withdrawals, newest first, as `ListFundRequests`. Their addresses are opened as they are read. */
export class ListWithdrawals extends Query<WithdrawalPage> {
  constructor(readonly filter: Filter) {
    super();
  }
}

export class ListWithdrawalsHandler {
  constructor(private readonly parts: RequestSources & Pick<Ports, 'identity'>) {}

  execute({ filter }: ListWithdrawals): Promise<WithdrawalPage> {
    const { identity } = this.parts;
    return list(this.parts, 'withdrawal', filter, withdrawalViewBy(identity.personKeys));
  }
}

/** One withdrawal of a customer. Refuses with `request_not_found`. */
export class GetWithdrawal extends Query<WithdrawalView> {
  constructor(readonly named: Named) {
    super();
  }
}

export class GetWithdrawalHandler {
  constructor(private readonly parts: RequestSources & Pick<Ports, 'identity'>) {}

  execute({ named }: GetWithdrawal): Promise<WithdrawalView> {
    const { identity } = this.parts;
    return one(this.parts, 'withdrawal', named, withdrawalViewBy(identity.personKeys));
  }
}

type ViewOf<View> = (row: RequestDocument, people: People, counts: CountsById) => View | Promise<View>;

async function list<View>(
  sources: RequestSources,
  type: RequestDocument['type'],
  filter: Filter,
  viewOf: ViewOf<View>,
) {
  const { userId, status, currency } = filter;
  const equals = filtersIn({ userId, type, status, currency });
  const page = await readPage(
    { ...filter, ...wholeInstants(filter), index: indexFor(equals), equals },
    (query) => sources.readStore.list<RequestDocument>('requests', query),
    ['createdAt', 'id'],
  );
  const people = await peopleOf(sources.readStore, page.items);
  const counts = await countsOf(sources, page.items);
  return { ...page, items: await Promise.all(page.items.map((row) => viewOf(row, people, counts))) };
}

async function one<View>(
  sources: RequestSources,
  type: RequestDocument['type'],
  { userId, requestId }: Named,
  viewOf: ViewOf<View>,
): Promise<View> {
  const row = await sources.readStore.get<RequestDocument>('requests', requestId);
  if (row?.userId !== userId || row.type !== type)
    throw new LodeError('request_not_found', 'There is no such request.');
  return viewOf(row, await peopleOf(sources.readStore, [row]), await countsOf(sources, [row]));
}

function fundRequestView(row: RequestDocument, people: People, counts: CountsById): FundRequestView {
  const { convertedAmount, depositAddress = null, evidence } = row;
  invariant(evidence !== undefined, 'a fund request has evidence');
  return {
    ...commonOf(row, people, counts),
    type: 'Funding',
    loanPurpose: 'Funding',
    address: depositAddress,
    convertedAmount,
    evidence: evidence as FundRequestView['evidence'],
  };
}

function withdrawalViewBy(keys: PersonKeys): ViewOf<WithdrawalView> {
  return async (row, people, counts) => {
    const { address, convertedAmount, hold, payoutReference, userId } = row;
    invariant(address !== undefined && hold !== undefined, 'a withdrawal has an address and a hold');
    const walletAddress = await walletAddressOf(keys, userId, address);
    const paid = payoutReference && (await decryptFields(keys, userId, payoutReference, ['payoutReference']));
    return {
      ...commonOf(row, people, counts),
      type: 'withdrawal',
      loanPurpose: 'Withdrawal',
      walletAddress,
      convertedAmount,
      hold,
      payoutReference: paid ? paid.payoutReference : null,
    };
  };
}

/**
 * The index of the read models of requests and transfers for a filter: a person's have one for every filter, all people's one for
 * each.
 */
export function indexFor(equals: Readonly<Record<string, string>>): string {
  if ('userId' in equals) return 'user';
  if ('currency' in equals) return 'status' in equals ? 'currencyStatus' : 'currency';
  return 'status' in equals ? 'status' : 'all';
}
