import { sortablePosition } from '#kernel';
import {
  accessStream,
  formatMoney,
  postingsOf,
  type AccessEvent,
  type AccountEvent,
  type EmailChangeFailure,
  type PaymentCurrency,
  type SecondFactorChange,
} from '#ledger';
import type { Document } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { ignore, madeOf, readModel, type Handler, type OpenedEvent } from '../read-model.js';
import type { EventsOf } from './streams.js';

/**
 * Something that a customer should hear of: what others did to the account, and what was changed of how the person comes in
 * and where money goes, which may have been somebody else. It holds nothing that is anybody's own: no address, network or
 * program. Its id is where the log has it, see `sortablePosition`.
 */
export type NotificationDocument = Document & {
  readonly userId: string;
  readonly kind: TellingType;
  readonly created: string;
  /** The event that it tells of. */
  readonly eventId: string;
  /** What became of the second factor; null when it is not about that. */
  readonly change: SecondFactorChange | null;
  /** Why an e-mail address was not changed; null when it is not about that. */
  readonly failure: EmailChangeFailure | null;
  /** The instant from which a wallet address is in force; null when it is at once, or not about that. */
  readonly inForceFrom: string | null;
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
  | 'AccountActivated'
  | 'WalletAddressSaved'
  | 'WalletAddressCanceled'
  | 'SignedIn'
  | 'PasswordChanged'
  | 'PasswordReset'
  | 'SecondFactorChanged'
  | 'EmailChangeAsked'
  | 'EmailChanged'
  | 'EmailChangeFailed'
  | 'TransferPinSet';
type TellingEvent = Extract<AccountEvent | AccessEvent, { readonly type: TellingType }>;

const ACCESS = accessStream('');

/** The person whose account or access an event is of. */
function personOf(event: OpenedEvent<TellingEvent>): string {
  return event.stream.startsWith(ACCESS) ? event.stream.slice(ACCESS.length) : userIdOf(event);
}

function notificationOf(event: OpenedEvent<TellingEvent>): NotificationDocument {
  const { data, at, id, meta, position, type } = event;
  const requestId = 'requestId' in data ? data.requestId : 'transferId' in data ? data.transferId : null;
  return {
    amount: 'amount' in data ? formatMoney(data.amount, 'USD') : null,
    change: 'change' in data ? data.change : null,
    created: at,
    currency: 'currency' in data ? data.currency : null,
    eventId: id,
    failure: 'why' in data ? data.why : null,
    id: sortablePosition(position),
    inForceFrom: 'waits' in data ? (data.waits?.from ?? null) : null,
    kind: type,
    position,
    reason: meta.reason ?? null,
    requestId,
    userId: personOf(event),
  };
}

/** There is nothing to tell of the bonus days of an empty wallet. */
const tell: Handler<TellingEvent, NotificationDocument> = (event) =>
  event.type === 'BonusAccrued' && postingsOf(event).length === 0 ? [] : [madeOf(notificationOf(event))];

type SignedIn = Extract<AccessEvent, { readonly type: 'SignedIn' }>;

/** Whoever signs in where they always do knows of it. */
const tellOfNewNetwork: Handler<SignedIn, NotificationDocument> = (event) =>
  event.data.network === 'new' ? [madeOf(notificationOf(event))] : [];

/** One document a thing to tell. */
export const notifications = readModel<EventsOf<'access' | 'account'>, NotificationDocument>({
  name: 'notifications',
  version: 4,
  oldestServed: 3,
  indexes: [{ name: 'user', equals: ['userId'], order: [] }],
  on: {
    AccountOpened: ignore,
    ProfileChanged: ignore,
    ProfileImageChanged: ignore,
    TermsAccepted: ignore,
    WalletAddressCanceled: tell,
    MoneyOutDelayed: ignore,
    EmailVerificationAsked: ignore,
    EmailVerified: ignore,
    WalletAddressSaved: tell,
    AccountSuspended: tell,
    AccountActivated: tell,
    PersonForgotten: ignore,
    FundingRequested: ignore,
    FundingConfirmed: tell,
    FundingRejected: tell,
    RequestApproved: ignore,
    AdjustmentProposed: ignore,
    AdjustmentApproved: ignore,
    AdjustmentRejected: ignore,
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
    SignedIn: tellOfNewNetwork,
    SignInRefused: ignore,
    SessionEnded: ignore,
    SessionsEnded: ignore,
    PasswordChanged: tell,
    PasswordReset: tell,
    SecondFactorChanged: tell,
    EmailChangeAsked: tell,
    // What becomes of it follows.
    EmailChangeConfirmed: ignore,
    EmailChanged: tell,
    EmailChangeFailed: tell,
    TransferPinSet: tell,
    TransferPinRefused: ignore,
    ParkedEventDiscarded: ignore,
  },
  ownerOf: ({ userId }) => userId,
  writesOnce: true,
});
