import type { Json } from '#kernel';
import type { PaymentCurrency } from '../money.js';
import type { Posting } from '../postings.js';

/** Where a request's payment evidence is and what it was when it was handed in. */
export type Evidence = {
  readonly fileId: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
};

type Fact<Type extends string, Data> = {
  readonly type: Type;
  readonly data: Data & { readonly [key: string]: Json | undefined };
};

/** What moved the wallet and one payment currency together: US dollars, and what they were at `price`. */
type Movement = {
  readonly currency: PaymentCurrency;
  /** US dollars, decimal, as requested; never negative. */
  readonly amount: string;
  /** US dollars for one unit of `currency` when it was booked. */
  readonly price: string;
  /** `amount` ÷ `price` in `currency`, rounded down. */
  readonly converted: string;
  readonly postings: readonly Posting[];
};

/**
 * The facts of one person's stream, `account-{userId}`. The names are storage: a new meaning gets a new name, a new
 * shape a new version and an upcast.
 */
export type AccountEvent =
  | Fact<
      'AccountOpened',
      {
        readonly userId: string;
        readonly accountNumber: string;
        readonly role: 'user' | 'admin';
        /** Name, e-mail and phone, encrypted with the person's key. */
        readonly profile: string;
      }
    >
  | Fact<
      'FundingRequested',
      {
        readonly requestId: string;
        /** US dollars, decimal. */
        readonly amount: string;
        readonly currency: PaymentCurrency;
        readonly evidence: Evidence;
      }
    >
  | Fact<'FundingConfirmed', Movement & { readonly requestId: string }>
  | Fact<'FundingRejected', { readonly requestId: string }>
  | Fact<'WalletCredited', Movement>
  | Fact<'WalletDebited', Movement>;

/** The version that `decide` writes today. */
export const accountEventVersions: { readonly [Type in AccountEvent['type']]: number } = {
  AccountOpened: 1,
  FundingRequested: 1,
  FundingConfirmed: 1,
  FundingRejected: 1,
  WalletCredited: 1,
  WalletDebited: 1,
};

/** The postings of an event; none when it moves no money. */
export function postingsOf(event: AccountEvent): readonly Posting[] {
  return 'postings' in event.data ? (event.data.postings as readonly Posting[]) : [];
}
