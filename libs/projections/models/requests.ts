import { invariant, unreachable, type RecordedEvent } from '#kernel';
import type { AccountEvent, Evidence, PaymentCurrency, RequestStatus } from '#ledger';
import type { Document, Index } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { defineReadModel, type Change } from '../read-model.js';
import { decisionOf, type Decision } from './decision.js';

/** One fund or withdrawal request and what became of it. It names people by id only. */
export type RequestDocument = Document & {
  readonly userId: string;
  readonly type: 'Funding' | 'withdrawal';
  /** US dollars. */
  readonly amount: string;
  readonly currency: PaymentCurrency;
  readonly status: RequestStatus;
  readonly closed: boolean;
  readonly createdAt: string;
  /** Of a fund request. */
  readonly evidence?: Evidence;
  /** Of a withdrawal: where it is to be paid, encrypted with the person's key. */
  readonly address?: string;
  /** In the payout currency; 0 for a fund request. */
  readonly convertedAmount: string;
  /** Of a withdrawal: what was set aside in `currency`, at the price of that moment, and the dollar rate then. */
  readonly hold?: { readonly converted: string; readonly price: string; readonly rate: string | null };
  readonly decision: Decision | null;
};

type RequestEvent = Extract<AccountEvent, { readonly type: `Funding${string}` | `Withdrawal${string}` }>;
type Recorded = RecordedEvent<RequestEvent>;
type Requested = Extract<Recorded, { type: 'FundingRequested' | 'WithdrawalRequested' }>;

// Members in canonical order here and in the other models: a document that has to be sorted to be stored costs twice.
function requested(event: Requested): RequestDocument {
  const { amount, currency, requestId } = event.data;
  const common = {
    closed: false,
    convertedAmount: '0',
    createdAt: event.at,
    currency,
    decision: null,
  } as const;
  const { position } = event;
  const userId = userIdOf(event);
  if (event.type === 'FundingRequested') {
    const { bytes, fileId, mediaType, sha256 } = event.data.evidence;
    return {
      amount,
      ...common,
      evidence: { bytes, fileId, mediaType, sha256 },
      id: requestId,
      position,
      status: 'Pending',
      type: 'Funding',
      userId,
    };
  }
  const { address, converted, convertedAmount, price, rate } = event.data;
  return {
    address,
    amount,
    ...common,
    convertedAmount,
    hold: { converted, price, rate },
    id: requestId,
    position,
    status: 'Pending',
    type: 'withdrawal',
    userId,
  };
}

function closed(request: RequestDocument, event: Exclude<Recorded, Requested>): RequestDocument {
  const settled = { ...request, closed: true, position: event.position };
  switch (event.type) {
    case 'FundingConfirmed':
    case 'WithdrawalConfirmed':
      return { ...settled, decision: decisionOf(event, event.data), status: 'confirmed' };
    case 'FundingRejected':
    case 'WithdrawalRejected':
      return { ...settled, decision: decisionOf(event), status: 'rejected' };
    default:
      return unreachable(event);
  }
}

/**
 * All requests of a type, by status, by currency, by both; one person's by the same. A person's are few, so that one
 * index does for them: each further one would make every request's entry touch another page of the file.
 */
const order = ['createdAt'];
const indexes: readonly Index[] = [
  { name: 'all', equals: ['type'], order },
  { name: 'status', equals: ['type', 'status'], order },
  { name: 'currency', equals: ['type', 'currency'], order },
  { name: 'currencyStatus', equals: ['type', 'currency', 'status'], order },
  { name: 'user', equals: ['userId'], order, filters: ['currency', 'status', 'type'] },
];

/** One document a fund or withdrawal request. */
export const requests = defineReadModel<RequestEvent, RequestDocument>({
  name: 'requests',
  version: 2,
  oldestServed: 2,
  indexes,
  handles: [
    'FundingRequested',
    'FundingConfirmed',
    'FundingRejected',
    'WithdrawalRequested',
    'WithdrawalConfirmed',
    'WithdrawalRejected',
  ],
  on: (event): readonly Change<RequestDocument>[] => [
    {
      id: event.data.requestId,
      change: (request) => {
        if (event.type === 'FundingRequested' || event.type === 'WithdrawalRequested') {
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
