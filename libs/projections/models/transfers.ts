import { invariant } from '#kernel';
import {
  formatDecimal,
  formatMoney,
  PRICE_SCALE,
  type AccountEvent,
  type PaymentCurrency,
  type Receiver,
  type RequestStatus,
} from '#ledger';
import type { Document, Index } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { ignore, readModel, type Change, type OpenedEvent } from '../read-model.js';
import { decisionOf, type Decision } from './decision.js';
import type { EventsOf } from './streams.js';

/** One transfer, as its sender's stream tells it, and what became of it. It names people by id only. */
export type TransferDocument = Document & {
  /** The sender. */
  readonly userId: string;
  readonly transferType: 'local' | 'international';
  /** The customer who has it; null until it was received. */
  readonly receivedBy: string | null;
  /** The customer it goes to; null for a bank transfer. */
  readonly receiver: Receiver | null;
  /** US dollars. */
  readonly amount: string;
  readonly currency: PaymentCurrency;
  /** In `currency` at `price`, set aside when it was requested. */
  readonly converted: string;
  readonly price: string;
  readonly status: RequestStatus;
  readonly closed: boolean;
  /** Where the money of a confirmed transfer is; `none` before. */
  readonly delivery: 'none' | 'in transit' | 'received' | 'returned' | 'paid out';
  readonly createdAt: string;
  /** When `delivery` last changed; empty before. */
  readonly deliveryAt: string;
  /** The sender's wallet after it was confirmed, in US dollars; empty before. */
  readonly balance: string;
  /** Bank, account, holder and narration, encrypted with the sender's key. */
  readonly details: string;
  readonly decision: Decision | null;
};

type On<Type extends AccountEvent['type']> = OpenedEvent<Extract<AccountEvent, { readonly type: Type }>>;

function requested(event: On<'TransferRequested'>): TransferDocument {
  const { amount, converted, currency, details, price, receiver, requestId, transferType } = event.data;
  return {
    amount: formatMoney(amount, 'USD'),
    balance: '',
    closed: false,
    converted: formatMoney(converted, currency),
    createdAt: event.at,
    currency,
    decision: null,
    delivery: 'none',
    deliveryAt: '',
    details,
    id: requestId,
    position: event.position,
    price: formatDecimal(price, PRICE_SCALE),
    receivedBy: null,
    receiver: receiver === null ? null : { accountNumber: receiver.accountNumber, userId: receiver.userId },
    status: 'Pending',
    transferType,
    userId: userIdOf(event),
  };
}

type LaterTypes = `Transfer${'Confirmed' | 'Rejected' | 'Settled' | 'Returned'}`;

/** The handler of an event of a transfer that was requested. */
function changes<Event extends On<LaterTypes>>(
  fields: (event: Event, transfer: TransferDocument) => Partial<TransferDocument>,
): (event: Event) => readonly Change<TransferDocument>[] {
  return (event) => [
    {
      id: event.data.requestId,
      change: (transfer) => {
        invariant(transfer !== undefined, 'a transfer is requested first');
        return { ...transfer, position: event.position, ...fields(event, transfer) };
      },
    },
  ];
}

const order = ['createdAt'];
const indexes: readonly Index[] = [
  { name: 'all', equals: [], order },
  { name: 'status', equals: ['status'], order },
  { name: 'type', equals: ['transferType'], order },
  { name: 'typeStatus', equals: ['transferType', 'status'], order },
  { name: 'currency', equals: ['currency'], order },
  { name: 'currencyStatus', equals: ['currency', 'status'], order },
  { name: 'delivery', equals: ['delivery'], order: ['deliveryAt'] },
  { name: 'receiver', equals: ['receivedBy'], order: ['deliveryAt'], sparse: true },
  { name: 'user', equals: ['userId'], order, filters: ['status', 'transferType'] },
];

/** One document a transfer. */
export const transfers = readModel<EventsOf<'account'>, TransferDocument>({
  name: 'transfers',
  version: 3,
  // Those of before are not found by their currency.
  oldestServed: 3,
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
    FundingRequested: ignore,
    FundingConfirmed: ignore,
    FundingRejected: ignore,
    RequestApproved: ignore,
    AdjustmentProposed: ignore,
    AdjustmentApproved: ignore,
    AdjustmentRejected: ignore,
    WalletCredited: ignore,
    WalletDebited: ignore,
    BalanceWrittenOff: ignore,
    WithdrawalRequested: ignore,
    WithdrawalConfirmed: ignore,
    WithdrawalRejected: ignore,
    TransferRequested: (event) => [
      {
        id: event.data.requestId,
        change: (transfer) => {
          invariant(transfer === undefined, 'a transfer is requested once');
          return requested(event);
        },
      },
    ],
    TransferConfirmed: changes((event) => ({
      balance: event.data.after === null ? '' : formatMoney(event.data.after.wallet, 'USD'),
      closed: true,
      decision: decisionOf(event, event.data),
      delivery: event.data.receiver === null ? 'paid out' : 'in transit',
      deliveryAt: event.at,
      status: 'confirmed',
    })),
    TransferRejected: changes((event) => ({ closed: true, decision: decisionOf(event), status: 'rejected' })),
    TransferSettled: changes(({ at }, { receiver }) => ({
      delivery: 'received',
      deliveryAt: at,
      receivedBy: receiver?.userId ?? null,
    })),
    TransferReturned: changes(({ at }) => ({ delivery: 'returned', deliveryAt: at })),
    TransferReceived: ignore,
    TransferRefused: ignore,
    BonusCycleStarted: ignore,
    BonusCycleRestarted: ignore,
    BonusAccrued: ignore,
    BonusStopped: ignore,
  },
  ownerOf: ({ userId }) => userId,
  alsoOf: ({ receivedBy }) => receivedBy,
});
