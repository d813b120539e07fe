import type { BonusPolicy } from '../bonus-policy.js';
import type { PaymentCurrency } from '../currencies.js';
import type { Minor } from '../money.js';
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

type Fact<Type extends string, Data extends object> = { readonly type: Type; readonly data: Data };

/** US dollars (cents, not negative) and what they are in `currency` at `price`; all in minor units. */
export type Conversion = {
  readonly currency: PaymentCurrency;
  readonly amount: Minor;
  /** US dollars for one unit of `currency`, at `PRICE_SCALE`. */
  readonly price: Minor;
  /** `amount` ÷ `price` in `currency`, rounded down. */
  readonly converted: Minor;
};

/** What sets money of the account aside, or gives it back: its balances stay what they are. */
export type Hold = Conversion & { readonly postings: readonly Posting[] };

/** The balances right after a movement, available + held: US dollars, and the movement's currency. */
export type BalancesAfter = { readonly wallet: Minor; readonly balance: Minor };

/** What moved the wallet and one payment currency together. */
export type Movement = Hold & {
  /** Null in the oldest events, which were stored without it. */
  readonly after: BalancesAfter | null;
};

/** The person that a transfer goes to; a transfer without one leaves the platform. */
export type Receiver = { readonly userId: string; readonly accountNumber: string };

/** SHA-256 (hex) of the operator's texts as they were when somebody accepted them. */
export type AcceptedTexts = { readonly terms?: string; readonly privacy?: string };

/** Why a receiver's account could not take a transfer. */
export type RefusedBecause = 'suspended' | 'closed' | 'not_a_customer' | 'too_large';

/** An address that is not in force yet: from when it is, an ISO instant, and which one goes on until then, encrypted. */
export type AddressWait = { readonly from: string; readonly meanwhile: string };

/** Why no money leaves an account for a while. */
export type DelayReason = 'password_reset' | 'email_changed' | 'second_factor_removed';

/** A bonus cycle's dates: ISO instants in UTC. */
type CycleDates = { readonly startDate: string; readonly endDate: string };

type OfRequest = { readonly requestId: string };
/** An approval that is not a decision by itself: until when it counts, an ISO instant, and the n-th of how many it is. */
type ApprovalGiven = {
  readonly by: string;
  readonly until: string;
  readonly given: number;
  readonly needed: number;
};
/** Cents for each currency they are booked in: negative debits. */
export type AdjustmentEntry = { readonly currency: PaymentCurrency; readonly amount: Minor };
type OfTransferIn = { readonly transferId: string; readonly from: string };

/**
 * The facts of one person's stream, `account-{userId}`. How each is stored, now and in older versions, is in `codecs.ts`.
 * The names are storage: a new meaning gets a new name, a new stored shape a new version. Texts named `profile`, `address` and `details` are encrypted with the person's key.
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
  /** What somebody accepted by registering: the SHA-256 (hex) of each text, of those that said something. */
  | Fact<'TermsAccepted', AcceptedTexts>
  | Fact<'ProfileChanged', { readonly profile: string }>
  | Fact<'ProfileImageChanged', { readonly image: StoredFile }>
  /** `currency` is null for every currency that has no address of its own, as in the oldest events. */
  | Fact<
      'WalletAddressSaved',
      {
        readonly address: string;
        readonly currency: PaymentCurrency | null;
        /** Null for an address that is in force at once. */
        readonly waits: AddressWait | null;
      }
    >
  /** The address that waited is never in force. */
  | Fact<'WalletAddressCanceled', { readonly currency: PaymentCurrency | null }>
  /** `until` is an ISO instant. */
  | Fact<'MoneyOutDelayed', { readonly until: string; readonly why: DelayReason }>
  /** Nobody has shown yet that the e-mail address is the person's. Without this event it counts as verified. */
  | Fact<'EmailVerificationAsked', object>
  | Fact<'EmailVerified', object>
  | Fact<'AccountSuspended', object>
  | Fact<'AccountActivated', object>
  | Fact<'PersonForgotten', { readonly role: 'user' | 'admin' }>
  // funding
  | Fact<
      'FundingRequested',
      OfRequest & {
        /** US dollars, in cents. */
        readonly amount: Minor;
        readonly currency: PaymentCurrency;
        readonly evidence: Evidence;
        /** The operator's address that deposits in the currency went to then; null while none was set, and in events of version 1. */
        readonly depositAddress: string | null;
      }
    >
  | Fact<'FundingConfirmed', Movement & OfRequest>
  | Fact<'FundingRejected', OfRequest>
  // what takes more than one admin
  /** The last approval of a request comes with what confirms it. */
  | Fact<
      'RequestApproved',
      OfRequest &
        ApprovalGiven & {
          readonly kind: 'funding' | 'withdrawal' | 'transfer';
          /** US dollars, in cents. */
          readonly amount: Minor;
          readonly currency: PaymentCurrency;
        }
    >
  /** An adjustment that moves nothing until others approve it; `by` has. */
  | Fact<
      'AdjustmentProposed',
      OfRequest & {
        readonly entries: readonly AdjustmentEntry[];
        readonly by: string;
        readonly until: string;
        readonly needed: number;
      }
    >
  /** The last approval comes with what it books. */
  | Fact<'AdjustmentApproved', OfRequest & ApprovalGiven>
  | Fact<'AdjustmentRejected', OfRequest>
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
          /** Units of the payout currency for one US dollar, at `RATE_SCALE`; null while none was set. */
          readonly rate: Minor | null;
          /** `amount` × `rate` at `PAYOUT_SCALE`, rounded down; 0 without a rate. */
          readonly convertedAmount: Minor;
          /** Where it is to be paid, encrypted. */
          readonly address: string;
        }
    >
  | Fact<
      'WithdrawalConfirmed',
      Movement &
        OfRequest & {
          /** By what the payment is found where it was made, encrypted; null where nothing was said, and before version 2. */
          readonly reference: string | null;
        }
    >
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
  | Fact<'TransferRefused', Conversion & OfTransferIn & { readonly why: RefusedBecause }>
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
