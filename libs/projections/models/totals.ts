import { logStart, type RecordedEvent } from '#kernel';
import {
  availableOf,
  formatMoney,
  heldOf,
  perCurrency,
  versionWithCurrencies,
  type Currency,
  type Posting,
} from '#ledger';
import type { Document } from '#read-store';
import { userIdOf, type OpenedAccountEvent } from '../personal-data.js';
import { defineReadModel, type Change } from '../read-model.js';
import { plus } from './amounts.js';

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

type CountedType =
  | 'AccountOpened'
  | 'PersonForgotten'
  | 'FundingRequested'
  | 'FundingConfirmed'
  | 'FundingRejected'
  | 'WalletCredited'
  | 'WalletDebited'
  | 'BalanceWrittenOff'
  | 'WithdrawalRequested'
  | 'WithdrawalConfirmed'
  | 'WithdrawalRejected'
  | 'TransferRequested'
  | 'TransferConfirmed'
  | 'TransferRejected'
  | 'TransferReturned'
  | 'TransferReceived'
  | 'BonusAccrued';
type CountedEvent = Extract<OpenedAccountEvent, { readonly type: CountedType }>;

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

function counted(totals: TotalsDocument, event: RecordedEvent<CountedEvent>): TotalsDocument {
  const { pendingFunding, pendingTransfers, pendingWithdrawals, pendingWithdrawalAmount, users } = totals;
  const confirmedRequests = totals.confirmedRequests + 1;
  switch (event.type) {
    case 'AccountOpened':
      return { ...totals, users: users + 1 };
    case 'PersonForgotten':
      return { ...totals, users: users - 1 };
    case 'FundingRequested':
      return { ...totals, pendingFunding: pendingFunding + 1 };
    case 'FundingConfirmed': {
      const funding = plus(totals.funding, event.data.amount, 'USD');
      return { ...totals, confirmedRequests, funding, pendingFunding: pendingFunding - 1 };
    }
    case 'FundingRejected':
      return { ...totals, pendingFunding: pendingFunding - 1 };
    case 'WithdrawalRequested':
      return {
        ...totals,
        pendingWithdrawalAmount: plus(pendingWithdrawalAmount, event.data.amount, 'USD'),
        pendingWithdrawals: pendingWithdrawals + 1,
      };
    case 'WithdrawalConfirmed':
    case 'WithdrawalRejected': {
      const closed = {
        ...totals,
        pendingWithdrawalAmount: plus(pendingWithdrawalAmount, `-${event.data.amount}`, 'USD'),
        pendingWithdrawals: pendingWithdrawals - 1,
      };
      if (event.type === 'WithdrawalRejected') return closed;
      return {
        ...closed,
        confirmedRequests,
        paidWithdrawals: totals.paidWithdrawals + 1,
        withdrawn: plus(totals.withdrawn, event.data.amount, 'USD'),
      };
    }
    case 'TransferRequested':
      return { ...totals, pendingTransfers: pendingTransfers + 1 };
    case 'TransferConfirmed':
    case 'TransferRejected':
      return { ...totals, pendingTransfers: pendingTransfers - 1 };
    case 'BonusAccrued':
      return { ...totals, bonus: plus(totals.bonus, event.data.amount, 'USD') };
    default:
      return totals;
  }
}

/** What the customer's own two accounts were booked, added to what all customers have. */
function booked(totals: TotalsDocument, event: RecordedEvent<CountedEvent>): TotalsDocument {
  if (!('postings' in event.data)) return totals;
  const userId = userIdOf(event);
  const [available, held] = [availableOf(userId), heldOf(userId)];
  const balances = { ...totals.balances };
  for (const { account, amount, currency } of event.data.postings as readonly Posting[])
    if (account === available || account === held)
      balances[currency] = plus(balances[currency], amount, currency);
  return { ...totals, balances };
}

/** One document for everyone. */
export const totals = defineReadModel<CountedEvent, TotalsDocument>({
  name: 'totals',
  version: versionWithCurrencies(2),
  oldestServed: 2,
  indexes: [],
  handles: [
    'AccountOpened',
    'PersonForgotten',
    'FundingRequested',
    'FundingConfirmed',
    'FundingRejected',
    'WalletCredited',
    'WalletDebited',
    'BalanceWrittenOff',
    'WithdrawalRequested',
    'WithdrawalConfirmed',
    'WithdrawalRejected',
    'TransferRequested',
    'TransferConfirmed',
    'TransferRejected',
    'TransferReturned',
    'TransferReceived',
    'BonusAccrued',
  ],
  on: (event): readonly Change<TotalsDocument>[] => {
    const { type, data } = event;
    if ((type === 'AccountOpened' || type === 'PersonForgotten') && data.role !== 'user') return [];
    return [
      {
        id: TOTALS_ID,
        change: (document = noTotals) => ({
          ...booked(counted(document, event), event),
          position: event.position,
        }),
      },
    ];
  },
  ownerOf: () => null,
});
