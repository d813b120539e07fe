import type { RecordedEvent } from '#kernel';
import { postingsOf, type AccountEvent, type PaymentCurrency } from '#ledger';
import type { Document, Index } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { defineReadModel, madeOf, type Change } from '../read-model.js';
import { logPlace } from './events.js';

/**
 * One movement of a customer's money: a line of the statement, with what it left. Its id is where the log has it, see
 * `logPlace`: events of one instant still follow one another in a statement, and the newest stand together in every index.
 */
export type TransactionDocument = Document & {
  readonly userId: string;
  readonly type: 'credit' | 'debit';
  /** US dollars. */
  readonly amount: string;
  readonly currency: PaymentCurrency;
  /** What was booked in `currency`. */
  readonly converted: string;
  /** The wallet right after it, in US dollars; null for events that do not tell. */
  readonly balance: string | null;
  /** The balance of `currency` right after it; null for events that do not tell. */
  readonly currencyBalance: string | null;
  readonly created: string;
  /** The event that moved it: its id and its type. */
  readonly eventId: string;
  readonly source: MovingType;
  /** The request or transfer that it belongs to; null when it was booked by hand or is a bonus. */
  readonly requestId: string | null;
};

/** The events that change what a customer has, and which way. */
const ways = {
  FundingConfirmed: 'credit',
  WalletCredited: 'credit',
  WalletDebited: 'debit',
  BalanceWrittenOff: 'debit',
  WithdrawalConfirmed: 'debit',
  TransferConfirmed: 'debit',
  TransferReturned: 'credit',
  TransferReceived: 'credit',
  BonusAccrued: 'credit',
} as const;

type MovingType = keyof typeof ways;
type MovingEvent = Extract<AccountEvent, { readonly type: MovingType }>;

function transactionOf(event: RecordedEvent<MovingEvent>): TransactionDocument {
  const { data, at, id, position, type } = event;
  const { after, amount, converted, currency } = data;
  const requestId = 'requestId' in data ? data.requestId : 'transferId' in data ? data.transferId : null;
  return {
    amount,
    balance: after?.wallet ?? null,
    converted,
    created: at,
    currency,
    currencyBalance: after?.balance ?? null,
    eventId: id,
    id: logPlace(position),
    position,
    requestId: typeof requestId === 'string' ? requestId : null,
    source: type,
    type: ways[type],
    userId: userIdOf(event),
  };
}

/** All of them, newest first, are listed by their ids. */
const indexes: readonly Index[] = [
  { name: 'type', equals: ['type'], order: [] },
  { name: 'currency', equals: ['currency'], order: [] },
  { name: 'typeCurrency', equals: ['type', 'currency'], order: [] },
  { name: 'user', equals: ['userId'], order: [], filters: ['currency', 'type'] },
];

/** One document a movement. */
export const transactions = defineReadModel<MovingEvent, TransactionDocument>({
  name: 'transactions',
  version: 3,
  oldestServed: 3,
  indexes,
  handles: Object.keys(ways) as MovingType[],
  // The bonus days of an empty wallet pass without a movement.
  on: (event): readonly Change<TransactionDocument>[] =>
    postingsOf(event).length === 0 ? [] : [madeOf(transactionOf(event))],
  ownerOf: ({ userId }) => userId,
  writesOnce: true,
});
