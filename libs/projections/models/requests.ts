import { invariant } from '#kernel';
import {
  formatDecimal,
  formatMoney,
  PAYOUT_SCALE,
  PRICE_SCALE,
  RATE_SCALE,
  type AccountEvent,
  type Evidence,
  type PaymentCurrency,
  type RequestStatus,
} from '#ledger';
import type { Document, Index } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { ignore, readModel, type Change, type OpenedEvent } from '../read-model.js';
import { decisionOf, type Decision } from './decision.js';
import type { EventsOf } from './streams.js';

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
  /** That of its evidence, for the index. */
  readonly sha256?: string;
  /** Of a fund request: where deposits went when it was made; left out in documents from before it was kept. */
  readonly depositAddress?: string | null;
  /** Of a withdrawal: where it is to be paid, encrypted with the person's key. */
  readonly address?: string;
  /** In the payout currency; 0 for a fund request. */
  readonly convertedAmount: string;
  /** Of a withdrawal: what was set aside in `currency`, at the price of that moment, and the dollar rate then. */
  readonly hold?: { readonly converted: string; readonly price: string; readonly rate: string | null };
  readonly decision: Decision | null;
  /** Of a withdrawal that was paid: by what the payment is found, encrypted; left out where nothing was said. */
  readonly payoutReference?: string;
};

type On<Type extends AccountEvent['type']> = OpenedEvent<Extract<AccountEvent, { readonly type: Type }>>;

// Members in canonical order here and in the other models: a document that has to be sorted to be stored costs twice.
function fundRequest(event: On<'FundingRequested'>): RequestDocument {
  const { amount, currency, depositAddress, requestId } = event.data;
  const { bytes, fileId, mediaType, sha256 } = event.data.evidence;
  return {
    amount: formatMoney(amount, 'USD'),
    closed: false,
    convertedAmount: '0',
    createdAt: event.at,
    currency,
    decision: null,
    depositAddress,
    evidence: { bytes, fileId, mediaType, sha256 },
    id: requestId,
    position: event.position,
    sha256,
    status: 'Pending',
    type: 'Funding',
    userId: userIdOf(event),
  };
}

function withdrawal(event: On<'WithdrawalRequested'>): RequestDocument {
  const { address, amount, converted, convertedAmount, currency, price, rate, requestId } = event.data;
  return {
    address,
    amount: formatMoney(amount, 'USD'),
    closed: false,
    convertedAmount: formatDecimal(convertedAmount, PAYOUT_SCALE),
    createdAt: event.at,
    currency,
    decision: null,
    hold: {
      converted: formatMoney(converted, currency),
      price: formatDecimal(price, PRICE_SCALE),
      rate: rate === null ? null : formatDecimal(rate, RATE_SCALE),
    },
    id: requestId,
    position: event.position,
    status: 'Pending',
    type: 'withdrawal',
    userId: userIdOf(event),
  };
}

/** The handler of an event that a request begins with. */
function begins<Event extends On<'FundingRequested' | 'WithdrawalRequested'>>(
  begun: (event: Event) => RequestDocument,
): (event: Event) => readonly Change<RequestDocument>[] {
  return (event) => [
    {
      id: event.data.requestId,
      change: (request) => {
        invariant(request === undefined, 'a request is made once');
        return begun(event);
      },
    },
  ];
}

/** The handler of a decision on a request. */
function decides<Event extends On<Decisions>>(
  status: RequestStatus,
  decided: (event: Event) => Decision,
  besides: (event: Event) => Pick<RequestDocument, 'payoutReference'> = () => ({}),
): (event: Event) => readonly Change<RequestDocument>[] {
  return (event) => [
    {
      id: event.data.requestId,
      change: (request) => {
        invariant(request?.closed === false, 'a request is open until it is closed, once');
        const decision = decided(event);
        return { ...request, closed: true, decision, ...besides(event), position: event.position, status };
      },
    },
  ];
}

type Decisions = `${'Funding' | 'Withdrawal'}${'Confirmed' | 'Rejected'}`;

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
  // Of fund requests: those with the same file as evidence.
  { name: 'evidence', equals: ['sha256'], order, sparse: true },
];

/** One document a fund or withdrawal request. */
export const requests = readModel<EventsOf<'account'>, RequestDocument>({
  name: 'requests',
  version: 5,
  // Those of before are not found by their evidence.
  oldestServed: 5,
  indexes,
  on: {
    AccountOpened: ignore,
    ProfileChanged: ignore,
    ProfileImageChanged: ignore,
    TermsAccepted: ignore,
    WalletAddressCanceled: ignore,
    MoneyOutDelayed: ignore,
    EmailVerificationAsked: ignore,
    EmailVerified: ignore,
    WalletAddressSaved: ignore,
    AccountSuspended: ignore,
    AccountActivated: ignore,
    PersonForgotten: ignore,
    FundingRequested: begins(fundRequest),
    FundingConfirmed: decides('confirmed', (event) => decisionOf(event, event.data)),
    FundingRejected: decides('rejected', (event) => decisionOf(event)),
    RequestApproved: ignore,
    AdjustmentProposed: ignore,
    AdjustmentApproved: ignore,
    AdjustmentRejected: ignore,
    WalletCredited: ignore,
    WalletDebited: ignore,
    BalanceWrittenOff: ignore,
    WithdrawalRequested: begins(withdrawal),
    WithdrawalConfirmed: decides(
      'confirmed',
      (event) => decisionOf(event, event.data),
      ({ data: { reference } }) => (reference === null ? {} : { payoutReference: reference }),
    ),
    WithdrawalRejected: decides('rejected', (event) => decisionOf(event)),
    TransferRequested: ignore,
    TransferConfirmed: ignore,
    TransferRejected: ignore,
    TransferSettled: ignore,
    TransferReturned: ignore,
    TransferReceived: ignore,
    TransferRefused: ignore,
    BonusCycleStarted: ignore,
    BonusCycleRestarted: ignore,
    BonusAccrued: ignore,
    BonusStopped: ignore,
  },
  ownerOf: ({ userId }) => userId,
});
