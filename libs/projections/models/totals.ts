import { logStart } from '#kernel';
import {
  availableOf,
  formatMoney,
  heldOf,
  perCurrency,
  versionWithCurrencies,
  type Currency,
  type Minor,
  type Posting,
} from '#ledger';
import type { Document } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { ignore, readModel, type Change, type OpenedEvent } from '../read-model.js';
import { plus } from './amounts.js';
import type { EventsOf } from './streams.js';

/** Counts and sums over all customers; the one document of its collection, there since the first event that counts. */
export type TotalsDocument = Document & {
  /** Customers whose accounts are not closed; admins are not counted. */
  readonly users: number;
  /** US dollars of confirmed fund requests. */
  readonly funding: string;
  /** US dollars paid out for withdrawals. */
  readonly withdrawn: string;
  /** US dollars paid as promotional bonus. */
  readonly bonus: string;
  /** Fund requests and withdrawals that were confirmed. */
  readonly confirmedRequests: number;
  /** The withdrawals among them. */
  readonly paidWithdrawals: number;
  /** Requests that wait for a decision, and what the withdrawals among them come to. */
  readonly pendingFunding: number;
  readonly pendingTransfers: number;
  readonly pendingWithdrawals: number;
  readonly pendingWithdrawalAmount: string;
  /** What all customers have, available + held, in each currency. */
  readonly balances: Readonly<Record<Currency, string>>;
};

/** The id of the one document. */
export const TOTALS_ID = 'totals';

/** What there is before the first event that counts. */
export const noTotals: TotalsDocument = {
  balances: perCurrency((currency) => formatMoney(0n, currency)),
  bonus: '0.00',
  confirmedRequests: 0,
  funding: '0.00',
  id: TOTALS_ID,
  paidWithdrawals: 0,
  pendingFunding: 0,
  pendingTransfers: 0,
  pendingWithdrawalAmount: '0.00',
  pendingWithdrawals: 0,
  position: logStart,
  users: 0,
  withdrawn: '0.00',
};

/** The totals with a sum in every currency, as `withEveryBalance`. */
export function withEverySum(document: TotalsDocument): TotalsDocument {
  return { ...document, balances: { ...noTotals.balances, ...document.balances } };
}

/** What the customer's own two accounts were booked, added to what all customers have. */
function booked(totals: TotalsDocument, event: OpenedEvent): TotalsDocument {
  if (!('postings' in event.data)) return totals;
  const userId = userIdOf(event);
  const [available, held] = [availableOf(userId), heldOf(userId)];
  const balances = { ...totals.balances };
  for (const { account, amount, currency } of event.data['postings'] as readonly Posting[])
    if (account === available || account === held)
      balances[currency] = plus(balances[currency], amount, currency);
  return { ...totals, balances };
}

/** The handler of an event that counts: what it changes beside the balances. */
function counts<Event extends EventsOf<'account'>>(
  fields: (totals: TotalsDocument, data: Event['data']) => Partial<TotalsDocument>,
): (event: OpenedEvent<Event>) => readonly Change<TotalsDocument>[] {
  return (event) => [
    {
      id: TOTALS_ID,
      change: (document = noTotals) => ({
        ...booked({ ...document, ...fields(document, event.data) }, event),
        position: event.position,
      }),
    },
  ];
}

/** The handler of an event of customers and admins that counts for customers only. */
function countsCustomers(
  by: 1 | -1,
): (
  event: OpenedEvent<Extract<EventsOf<'account'>, { readonly type: 'AccountOpened' | 'PersonForgotten' }>>,
) => readonly Change<TotalsDocument>[] {
  const one = counts(({ users }) => ({ users: users + by }));
  return (event) => (event.data.role === 'user' ? one(event) : []);
}

/** A withdrawal no longer waits for a decision. */
function withdrawn(totals: TotalsDocument, amount: Minor): Partial<TotalsDocument> {
  return {
    pendingWithdrawalAmount: plus(totals.pendingWithdrawalAmount, -amount, 'USD'),
    pendingWithdrawals: totals.pendingWithdrawals - 1,
  };
}

const onlyBalances = counts(() => ({}));

/** One document for everyone. */
export const totals = readModel<EventsOf<'account'>, TotalsDocument>({
  name: 'totals',
  version: versionWithCurrencies(2),
  oldestServed: 2,
  indexes: [],
  on: {
    AccountOpened: countsCustomers(1),
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
    PersonForgotten: countsCustomers(-1),
    FundingRequested: counts(({ pendingFunding }) => ({ pendingFunding: pendingFunding + 1 })),
    FundingConfirmed: counts(({ confirmedRequests, funding, pendingFunding }, { amount }) => ({
      confirmedRequests: confirmedRequests + 1,
      funding: plus(funding, amount, 'USD'),
      pendingFunding: pendingFunding - 1,
    })),
    FundingRejected: counts(({ pendingFunding }) => ({ pendingFunding: pendingFunding - 1 })),
    RequestApproved: ignore,
    AdjustmentProposed: ignore,
    AdjustmentApproved: ignore,
    AdjustmentRejected: ignore,
    WalletCredited: onlyBalances,
    WalletDebited: onlyBalances,
    BalanceWrittenOff: onlyBalances,
    WithdrawalRequested: counts(({ pendingWithdrawalAmount, pendingWithdrawals }, { amount }) => ({
      pendingWithdrawalAmount: plus(pendingWithdrawalAmount, amount, 'USD'),
      pendingWithdrawals: pendingWithdrawals + 1,
    })),
    WithdrawalConfirmed: counts((before, { amount }) => ({
      ...withdrawn(before, amount),
      confirmedRequests: before.confirmedRequests + 1,
      paidWithdrawals: before.paidWithdrawals + 1,
      withdrawn: plus(before.withdrawn, amount, 'USD'),
    })),
    WithdrawalRejected: counts((before, { amount }) => withdrawn(before, amount)),
    TransferRequested: counts(({ pendingTransfers }) => ({ pendingTransfers: pendingTransfers + 1 })),
    TransferConfirmed: counts(({ pendingTransfers }) => ({ pendingTransfers: pendingTransfers - 1 })),
    TransferRejected: counts(({ pendingTransfers }) => ({ pendingTransfers: pendingTransfers - 1 })),
    TransferSettled: ignore,
    TransferReturned: onlyBalances,
    TransferReceived: onlyBalances,
    TransferRefused: ignore,
    BonusCycleStarted: ignore,
    BonusCycleRestarted: ignore,
    BonusAccrued: counts(({ bonus }, { amount }) => ({ bonus: plus(bonus, amount, 'USD') })),
    BonusStopped: ignore,
  },
  ownerOf: () => null,
  isShared: true,
});
