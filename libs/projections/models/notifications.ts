import { sortablePosition } from '#kernel';
import { formatMoney, postingsOf, type AccountEvent, type PaymentCurrency } from '#ledger';
import type { Document } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { ignore, madeOf, readModel, type Handler, type OpenedEvent } from '../read-model.js';
import type { EventsOf } from './streams.js';

/**
 * Something that others did to a customer's account and that the customer should hear of. Its id is where the log has it,
 * see `sortablePosition`.
 */
export type NotificationDocument = Document & {
  readonly userId: string;
  readonly kind: TellingType;
  readonly created: string;
  /** The event that it tells of. */
  readonly eventId: string;
  /** US dollars; null when it is not about money. */
  readonly amount: string | null;
  readonly currency: PaymentCurrency | null;
  /** The request or transfer that it is about; null when there is none. */
  readonly requestId: string | null;
  /** Why, in the words of whoever decided; null when they gave none. */
  readonly reason: string | null;
};

type TellingType =
  | 'FundingConfirmed'
  | 'FundingRejected'
  | 'WithdrawalConfirmed'
  | 'WithdrawalRejected'
  | 'TransferConfirmed'
  | 'TransferRejected'
  | 'TransferReceived'
  | 'TransferReturned'
  | 'WalletCredited'
  | 'WalletDebited'
  | 'BonusAccrued'
  | 'AccountSuspended'
  | 'AccountActivated';
type TellingEvent = Extract<AccountEvent, { readonly type: TellingType }>;

function notificationOf(event: OpenedEvent<TellingEvent>): NotificationDocument {
  const { data, at, id, meta, position, type } = event;
  const requestId = 'requestId' in data ? data.requestId : 'transferId' in data ? data.transferId : null;
  return {
    amount: 'amount' in data ? formatMoney(data.amount, 'USD') : null,
    created: at,
    currency: 'currency' in data ? data.currency : null,
    eventId: id,
    id: sortablePosition(position),
    kind: type,
    position,
    reason: meta.reason ?? null,
    requestId,
    userId: userIdOf(event),
  };
}

/** There is nothing to tell of the bonus days of an empty wallet. */
const tell: Handler<TellingEvent, NotificationDocument> = (event) =>
  event.type === 'BonusAccrued' && postingsOf(event).length === 0 ? [] : [madeOf(notificationOf(event))];

/** One document a thing to tell. */
export const notifications = readModel<EventsOf<'account'>, NotificationDocument>({
  name: 'notifications',
  version: 3,
  oldestServed: 3,
  indexes: [{ name: 'user', equals: ['userId'], order: [] }],
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
    AccountSuspended: tell,
    AccountActivated: tell,
    PersonForgotten: ignore,
    FundingRequested: ignore,
    FundingConfirmed: tell,
    FundingRejected: tell,
    WalletCredited: tell,
    WalletDebited: tell,
    BalanceWrittenOff: ignore,
    WithdrawalRequested: ignore,
    WithdrawalConfirmed: tell,
    WithdrawalRejected: tell,
    TransferRequested: ignore,
    TransferConfirmed: tell,
    TransferRejected: tell,
    TransferSettled: ignore,
    TransferReturned: tell,
    TransferReceived: tell,
    TransferRefused: ignore,
    BonusCycleStarted: ignore,
    BonusCycleRestarted: ignore,
    BonusAccrued: tell,
    BonusStopped: ignore,
  },
  ownerOf: ({ userId }) => userId,
  writesOnce: true,
});
