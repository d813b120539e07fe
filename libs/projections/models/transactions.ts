import { sortablePosition } from '#kernel';
import { formatMoney, postingsOf, type AccountEvent, type PaymentCurrency } from '#ledger';
import type { Document, Index } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { ignore, madeOf, readModel, type Handler, type OpenedEvent } from '../read-model.js';
import type { EventsOf } from './streams.js';

/**
 * One movement of a customer's money: a line of the statement, with what it left. Its id is where the log has it, see
 * `sortablePosition`: events of one instant still follow one another in a statement, and the newest stand together in every index.
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

/** The events that change what a customer has. */
type MovingType =
  | 'FundingConfirmed'
  | 'WalletCredited'
  | 'WalletDebited'
  | 'BalanceWrittenOff'
  | 'WithdrawalConfirmed'
  | 'TransferConfirmed'
  | 'TransferReturned'
  | 'TransferReceived'
  | 'BonusAccrued';
type MovingEvent = Extract<AccountEvent, { readonly type: MovingType }>;

function transactionOf(
  event: OpenedEvent<MovingEvent>,
  way: TransactionDocument['type'],
): TransactionDocument {
  const { data, at, id, position, type } = event;
  const { after, amount, converted, currency } = data;
  const requestId = 'requestId' in data ? data.requestId : 'transferId' in data ? data.transferId : null;
  return {
    amount: formatMoney(amount, 'USD'),
    balance: after === null ? null : formatMoney(after.wallet, 'USD'),
    converted: formatMoney(converted, currency),
    created: at,
    currency,
    currencyBalance: after === null ? null : formatMoney(after.balance, currency),
    eventId: id,
    id: sortablePosition(position),
    position,
    requestId,
    source: type,
    type: way,
    userId: userIdOf(event),
  };
}

/** The handler of the events that move money one way. The bonus days of an empty wallet pass without a movement. */
function moves(way: TransactionDocument['type']): Handler<MovingEvent, TransactionDocument> {
  return (event) => (postingsOf(event).length === 0 ? [] : [madeOf(transactionOf(event, way))]);
}

/** All of them, newest first, are listed by their ids. */
const indexes: readonly Index[] = [
  { name: 'type', equals: ['type'], order: [] },
  { name: 'currency', equals: ['currency'], order: [] },
  { name: 'typeCurrency', equals: ['type', 'currency'], order: [] },
  { name: 'user', equals: ['userId'], order: [], filters: ['currency', 'type'] },
];

/** One document a movement. */
export const transactions = readModel<EventsOf<'account'>, TransactionDocument>({
  name: 'transactions',
  version: 3,
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
    FundingConfirmed: moves('credit'),
    FundingRejected: ignore,
    RequestApproved: ignore,
    AdjustmentProposed: ignore,
    AdjustmentApproved: ignore,
    AdjustmentRejected: ignore,
    WalletCredited: moves('credit'),
    WalletDebited: moves('debit'),
    BalanceWrittenOff: moves('debit'),
    WithdrawalRequested: ignore,
    WithdrawalConfirmed: moves('debit'),
    WithdrawalRejected: ignore,
    TransferRequested: ignore,
    TransferConfirmed: moves('debit'),
    TransferRejected: ignore,
    TransferSettled: ignore,
    TransferReturned: moves('credit'),
    TransferReceived: moves('credit'),
    TransferRefused: ignore,
    BonusCycleStarted: ignore,
    BonusCycleRestarted: ignore,
    BonusAccrued: moves('credit'),
    BonusStopped: ignore,
  },
  ownerOf: ({ userId }) => userId,
  writesOnce: true,
});
