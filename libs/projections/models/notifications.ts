import type { RecordedEvent } from '#kernel';
import { postingsOf, type AccountEvent, type PaymentCurrency } from '#ledger';
import type { Document } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { defineReadModel, madeOf, type Change } from '../read-model.js';
import { logPlace } from './events.js';

/**
 * Something that others did to a customer's account and that the customer should hear of. Its id is where the log has it,
 * see `logPlace`.
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

const telling = [
  'FundingConfirmed',
  'FundingRejected',
  'WithdrawalConfirmed',
  'WithdrawalRejected',
  'TransferConfirmed',
  'TransferRejected',
  'TransferReceived',
  'TransferReturned',
  'WalletCredited',
  'WalletDebited',
  'BonusAccrued',
  'AccountSuspended',
  'AccountActivated',
] as const;

type TellingType = (typeof telling)[number];
type TellingEvent = Extract<AccountEvent, { readonly type: TellingType }>;

function notificationOf(event: RecordedEvent<TellingEvent>): NotificationDocument {
  const { data, at, id, meta, position, type } = event;
  const text = (...names: readonly string[]) => {
    const value = names.map((name) => data[name]).find((one) => typeof one === 'string');
    return typeof value === 'string' ? value : null;
  };
  return {
    amount: text('amount'),
    created: at,
    currency: text('currency') as PaymentCurrency | null,
    eventId: id,
    id: logPlace(position),
    kind: type,
    position,
    reason: meta.reason ?? null,
    requestId: text('requestId', 'transferId'),
    userId: userIdOf(event),
  };
}

/** One document a thing to tell. */
export const notifications = defineReadModel<TellingEvent, NotificationDocument>({
  name: 'notifications',
  version: 3,
  oldestServed: 3,
  indexes: [{ name: 'user', equals: ['userId'], order: [] }],
  handles: telling,
  // There is nothing to tell of the bonus days of an empty wallet.
  on: (event): readonly Change<NotificationDocument>[] =>
    event.type === 'BonusAccrued' && postingsOf(event).length === 0 ? [] : [madeOf(notificationOf(event))],
  ownerOf: ({ userId }) => userId,
  writesOnce: true,
});
