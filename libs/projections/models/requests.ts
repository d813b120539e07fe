import { invariant, unreachable, type RecordedEvent } from '#kernel';
import type { AccountEvent, Evidence, PaymentCurrency } from '#ledger';
import type { Document, Index } from '#read-store';
import { defineReadModel, type Change } from '../read-model.js';
import { userIdOf } from './accounts.js';

/** One fund request and what became of it. It names people by id only. */
export type RequestDocument = Document & {
  readonly userId: string;
  readonly type: 'Funding';
  /** US dollars. */
  readonly amount: string;
  readonly currency: PaymentCurrency;
  readonly status: 'Pending' | 'confirmed' | 'rejected';
  readonly closed: boolean;
  readonly createdAt: string;
  readonly evidence: Evidence;
  readonly decision: Decision | null;
};

type Decision = {
  readonly at: string;
  /** The id of the actor who decided. */
  readonly by: string;
  /** What was booked in `currency`; of a confirmed request. */
  readonly converted?: string;
  /** US dollars for one unit of `currency`; of a confirmed request. */
  readonly price?: string;
  readonly reason?: string;
};

type RequestEvent = Extract<AccountEvent, { readonly data: { readonly requestId: string } }>;
type Recorded = RecordedEvent<RequestEvent>;

function requested(event: Extract<Recorded, { type: 'FundingRequested' }>): RequestDocument {
  const { amount, currency, requestId } = event.data;
  // Its members in canonical order like all others here: a document that has to be sorted to be stored costs twice.
  const { bytes, fileId, mediaType, sha256 } = event.data.evidence;
  return {
    amount,
    closed: false,
    createdAt: event.at,
    currency,
    decision: null,
    evidence: { bytes, fileId, mediaType, sha256 },
    id: requestId,
    position: event.position,
    status: 'Pending',
    type: 'Funding',
    userId: userIdOf(event),
  };
}

function closed(
  request: RequestDocument,
  event: Exclude<Recorded, { type: 'FundingRequested' }>,
): RequestDocument {
  const { at, meta, position } = event;
  const by = meta.actor.id;
  const reason = meta.reason === undefined ? {} : { reason: meta.reason };
  const settled = { ...request, closed: true, position };
  switch (event.type) {
    case 'FundingConfirmed': {
      const { converted, price } = event.data;
      return { ...settled, decision: { at, by, converted, price, ...reason }, status: 'confirmed' };
    }
    case 'FundingRejected':
      return { ...settled, decision: { at, by, ...reason }, status: 'rejected' };
    default:
      return unreachable(event);
  }
}

/**
 * All requests by status, by currency, by both; one person's by the same. A person's are few, so that one index does for
 * them: each further one would make every request's entry touch another page of the file.
 */
const order = ['createdAt'];
const indexes: readonly Index[] = [
  { name: 'all', equals: [], order },
  { name: 'status', equals: ['status'], order },
  { name: 'currency', equals: ['currency'], order },
  { name: 'currencyStatus', equals: ['currency', 'status'], order },
  { name: 'user', equals: ['userId'], order, filters: ['currency', 'status'] },
];

/** One document a fund request. */
export const requests = defineReadModel<RequestEvent, RequestDocument>({
  name: 'requests',
  version: 1,
  indexes,
  handles: ['FundingRequested', 'FundingConfirmed', 'FundingRejected'],
  on: (event): readonly Change<RequestDocument>[] => [
    {
      id: event.data.requestId,
      change: (request) => {
        if (event.type === 'FundingRequested') {
          invariant(request === undefined, 'a request is made once');
          return requested(event);
        }
        invariant(request?.closed === false, 'a request is open until it is closed, once');
        return closed(request, event);
      },
    },
  ],
  ownerOf: ({ userId }) => userId,
});
