import type { Json } from '#kernel';
import type { BonusPolicy } from '../bonus-policy.js';
import type { PaymentCurrency } from '../currencies.js';
import type { Posting } from '../postings.js';

/** A stored file and what it was when it was handed in. */
export type StoredFile = {
  readonly fileId: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
};

/** A request's payment evidence. */
export type Evidence = StoredFile;

type Fact<Type extends string, Data> = {
  readonly type: Type;
  readonly data: Data & { readonly [key: string]: Json | undefined };
};

/** US dollars, and what they are in one payment currency. */
type Worth = {
  readonly currency: PaymentCurrency;
  /** US dollars, decimal; never negative. */
  readonly amount: string;
  /** US dollars for one unit of `currency`. */
  readonly price: string;
  /** `amount` ÷ `price` in `currency`, rounded down. */
  readonly converted: string;
};

/** What sets money of the account aside, or gives it back: its balances stay what they are. */
type Hold = Worth & { readonly postings: readonly Posting[] };

/** What moved the wallet and one payment currency together. */
type Movement = Hold & {
  /** The balances right after it, available + held: US dollars, and `currency`. Events of version 1 do not tell. */
  readonly after?: { readonly wallet: string; readonly balance: string };
};

/** The person that a transfer goes to; a transfer without one leaves the platform. */
export type Receiver = { readonly userId: string; readonly accountNumber: string };

/** Why a receiver's account could not take a transfer. */
export type RefusedBecause = 'suspended' | 'closed' | 'not_a_customer' | 'too_large';

/** A bonus cycle's dates: ISO instants in UTC. */
type CycleDates = { readonly startDate: string; readonly endDate: string };

type OfRequest = { readonly requestId: string };
type OfTransferIn = { readonly transferId: string; readonly from: string };

/**
 * The facts of one person's stream, `account-{userId}`. The names are storage: a new meaning gets a new name, a new
 * shape a new version and an upcast. Texts named `profile`, `address` and `details` are encrypted with the person's key.
 */
export type AccountEvent =
  | Fact<
      'AccountOpened',
      {
        readonly userId: string;
        readonly accountNumber: string;
        readonly role: 'user' | 'admin';
        /** Name, e-mail and phone, encrypted. */
        readonly profile: string;
      }
    >
  // the person
  | Fact<'ProfileChanged', { readonly profile: string }>
  | Fact<'ProfileImageChanged', { readonly image: StoredFile }>
  | Fact<'WalletAddressSaved', { readonly address: string }>
  | Fact<'AccountSuspended', object>
  | Fact<'AccountActivated', object>
  | Fact<'PersonForgotten', { readonly role: 'user' | 'admin' }>
  // funding
  | Fact<
      'FundingRequested',
      OfRequest & {
        /** US dollars, decimal. */
        readonly amount: string;
        readonly currency: PaymentCurrency;
        readonly evidence: Evidence;
      }
    >
  | Fact<'FundingConfirmed', Movement & OfRequest>
  | Fact<'FundingRejected', OfRequest>
  // by hand
  | Fact<'WalletCredited', Movement>
  | Fact<'WalletDebited', Movement>
  /** What could not be paid when the account was closed: dollars and a balance that are not each other's worth. */
  | Fact<'BalanceWrittenOff', Movement>
  // withdrawals
  | Fact<
      'WithdrawalRequested',
      Hold &
        OfRequest & {
          /** Units of the payout currency for one US dollar; null while none was set. */
          readonly rate: string | null;
          /** `amount` × `rate`, rounded down to 2 decimals; 0 without a rate. */
          readonly convertedAmount: string;
          /** Where it is to be paid, encrypted. */
          readonly address: string;
        }
    >
  | Fact<'WithdrawalConfirmed', Movement & OfRequest>
  | Fact<'WithdrawalRejected', Hold & OfRequest>
  // transfers, on the sender's side
  | Fact<
      'TransferRequested',
      Hold &
        OfRequest & {
          readonly transferType: 'local' | 'international';
          readonly receiver: Receiver | null;
          /** Bank, account, holder and narration, encrypted. */
          readonly details: string;
        }
    >
  | Fact<'TransferConfirmed', Movement & OfRequest & { readonly receiver: Receiver | null }>
  | Fact<'TransferRejected', Hold & OfRequest>
  | Fact<'TransferSettled', OfRequest>
  | Fact<'TransferReturned', Movement & OfRequest>
  // transfers, on the receiver's side
  | Fact<'TransferReceived', Movement & OfTransferIn>
  | Fact<'TransferRefused', Worth & OfTransferIn & { readonly why: RefusedBecause }>
  // the promotional bonus
  | Fact<'BonusCycleStarted', CycleDates & { readonly policy: BonusPolicy }>
  | Fact<'BonusCycleRestarted', CycleDates & { readonly policy: BonusPolicy }>
  | Fact<
      'BonusAccrued',
      Movement & {
        /** Days that this accrual pays. */
        readonly days: number;
        /** Days of the cycle that are paid now. */
        readonly bonusDays: number;
        readonly updatedTime: string;
        readonly policy: BonusPolicy;
      }
    >
  | Fact<'BonusStopped', CycleDates & { readonly bonusDays: number; readonly policy: BonusPolicy }>;

/** The version that `decide` writes today. */
export const accountEventVersions: { readonly [Type in AccountEvent['type']]: number } = {
  AccountOpened: 1,
  ProfileChanged: 1,
  ProfileImageChanged: 1,
  WalletAddressSaved: 1,
  AccountSuspended: 1,
  AccountActivated: 1,
  PersonForgotten: 1,
  FundingRequested: 1,
  FundingConfirmed: 2,
  FundingRejected: 1,
  WalletCredited: 2,
  WalletDebited: 2,
  BalanceWrittenOff: 1,
  WithdrawalRequested: 1,
  WithdrawalConfirmed: 1,
  WithdrawalRejected: 1,
  TransferRequested: 1,
  TransferConfirmed: 1,
  TransferRejected: 1,
  TransferSettled: 1,
  TransferReturned: 1,
  TransferReceived: 1,
  TransferRefused: 1,
  BonusCycleStarted: 1,
  BonusCycleRestarted: 1,
  BonusAccrued: 1,
  BonusStopped: 1,
};

/** An event that moves money. */
export type BookedEvent = Extract<AccountEvent, { readonly data: { readonly postings: readonly Posting[] } }>;

/** True for an event that moves money, be it only between available and held. */
export function isBooked(event: AccountEvent): event is BookedEvent {
  return 'postings' in event.data;
}

/** The postings of an event; none when it moves no money. */
export function postingsOf(event: AccountEvent): readonly Posting[] {
  return isBooked(event) ? event.data.postings : [];
}
