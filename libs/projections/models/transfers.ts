import { invariant, unreachable, type RecordedEvent } from '#kernel';
import type { AccountEvent, PaymentCurrency, Receiver, RequestStatus } from '#ledger';
import type { Document, Index } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { defineReadModel, type Change } from '../read-model.js';
import { decisionOf, type Decision } from './decision.js';

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

type TransferEvent = Extract<
  AccountEvent,
  {
    readonly type:
      'TransferRequested' | 'TransferConfirmed' | 'TransferRejected' | 'TransferSettled' | 'TransferReturned';
  }
>;
type Recorded = RecordedEvent<TransferEvent>;
type Requested = Extract<Recorded, { type: 'TransferRequested' }>;

function requested(event: Requested): TransferDocument {
  const { amount, converted, currency, details, price, receiver, requestId, transferType } = event.data;
  return {
    amount,
    balance: '',
    closed: false,
    converted,
    createdAt: event.at,
    currency,
    decision: null,
    delivery: 'none',
    deliveryAt: '',
    details,
    id: requestId,
    position: event.position,
    price,
    receivedBy: null,
    receiver: receiver === null ? null : { accountNumber: receiver.accountNumber, userId: receiver.userId },
    status: 'Pending',
    transferType,
    userId: userIdOf(event),
  };
}

function moved(transfer: TransferDocument, event: Exclude<Recorded, Requested>): TransferDocument {
  const next = { ...transfer, position: event.position };
  switch (event.type) {
    case 'TransferConfirmed':
      return {
        ...next,
        balance: event.data.after?.wallet ?? '',
        closed: true,
        decision: decisionOf(event, event.data),
        delivery: event.data.receiver === null ? 'paid out' : 'in transit',
        deliveryAt: event.at,
        status: 'confirmed',
      };
    case 'TransferRejected':
      return { ...next, closed: true, decision: decisionOf(event), status: 'rejected' };
    case 'TransferSettled':
      return {
        ...next,
        delivery: 'received',
        deliveryAt: event.at,
        receivedBy: transfer.receiver?.userId ?? null,
      };
    case 'TransferReturned':
      return { ...next, delivery: 'returned', deliveryAt: event.at };
    default:
      return unreachable(event);
  }
}

const order = ['createdAt'];
const indexes: readonly Index[] = [
  { name: 'all', equals: [], order },
  { name: 'status', equals: ['status'], order },
  { name: 'type', equals: ['transferType'], order },
  { name: 'typeStatus', equals: ['transferType', 'status'], order },
  { name: 'delivery', equals: ['delivery'], order: ['deliveryAt'] },
  { name: 'receiver', equals: ['receivedBy'], order: ['deliveryAt'], sparse: true },
  { name: 'user', equals: ['userId'], order, filters: ['status', 'transferType'] },
];

/** One document a transfer. */
export const transfers = defineReadModel<TransferEvent, TransferDocument>({
  name: 'transfers',
  version: 2,
  oldestServed: 2,
  indexes,
  handles: [
    'TransferRequested',
    'TransferConfirmed',
    'TransferRejected',
    'TransferSettled',
    'TransferReturned',
  ],
  on: (event): readonly Change<TransferDocument>[] => [
    {
      id: event.data.requestId,
      change: (transfer) => {
        if (event.type === 'TransferRequested') {
          invariant(transfer === undefined, 'a transfer is requested once');
          return requested(event);
        }
        invariant(transfer !== undefined, 'a transfer is requested first');
        return moved(transfer, event);
      },
    },
  ],
  ownerOf: ({ userId }) => userId,
});
