import { Map as PersistentMap } from 'immutable';
import { invariant, unreachable } from '#kernel';
import { availableOf, heldOf } from '../chart.js';
import { currencies, parseMoney, type Minor, type PaymentCurrency } from '../money.js';
import { addAmounts, isBalanced, noAmounts, sumOf, type Amounts, type Posting } from '../postings.js';
import type { AccountEvent } from './events.js';

/** A funding request as the account remembers it; `confirmed` and `rejected` are final. */
export type FundRequest = {
  readonly status: 'Pending' | 'confirmed' | 'rejected';
  /** US dollars in cents. */
  readonly amount: Minor;
  readonly currency: PaymentCurrency;
};

export type OpenAccount = {
  readonly kind: 'open';
  readonly userId: string;
  readonly accountNumber: string;
  readonly role: 'user' | 'admin';
  /** What may be spent, per currency, in minor units. Never negative. */
  readonly available: Amounts;
  /** What open requests have set aside. Never negative. */
  readonly held: Amounts;
  readonly requests: PersistentMap<string, FundRequest>;
};

export type Account = { readonly kind: 'none' } | OpenAccount;

/** A person of whom nothing is known yet. */
export const noAccount: Account = { kind: 'none' };

/** Folds one event into the account. Total for every event that a decision ever gave. */
export function evolve(state: Account, event: AccountEvent): Account {
  if (event.type === 'AccountOpened') {
    invariant(state.kind === 'none', 'an account is opened once');
    const { userId, accountNumber, role } = event.data;
    return {
      kind: 'open',
      userId,
      accountNumber,
      role,
      available: noAmounts,
      held: noAmounts,
      requests: PersistentMap(),
    };
  }
  invariant(state.kind === 'open', `${event.type} in a stream that no AccountOpened began`);
  switch (event.type) {
    case 'FundingRequested': {
      const { requestId, amount, currency } = event.data;
      invariant(!state.requests.has(requestId), `request ${requestId} is made once`);
      const request = { status: 'Pending', amount: parseMoney(amount, 'USD'), currency } as const;
      return { ...state, requests: state.requests.set(requestId, request) };
    }
    case 'FundingConfirmed':
      return close(book(state, event.data.postings), event.data.requestId, 'confirmed');
    case 'FundingRejected':
      return close(state, event.data.requestId, 'rejected');
    case 'WalletCredited':
    case 'WalletDebited':
      return book(state, event.data.postings);
    default:
      return unreachable(event);
  }
}

function close(state: OpenAccount, requestId: string, status: 'confirmed' | 'rejected'): OpenAccount {
  const request = state.requests.get(requestId);
  invariant(request?.status === 'Pending', `request ${requestId} is closed once`);
  return { ...state, requests: state.requests.set(requestId, { ...request, status }) };
}

/**
 * Books postings to the account. That neither balance goes below zero is checked here, where every movement passes,
 * and in production: a decision that got it wrong stops before anything is appended.
 */
function book(state: OpenAccount, postings: readonly Posting[]): OpenAccount {
  invariant(isBalanced(postings), 'postings add up to zero in each currency');
  const available = addAmounts(state.available, sumOf(postings, availableOf(state.userId)));
  const held = addAmounts(state.held, sumOf(postings, heldOf(state.userId)));
  for (const currency of currencies) {
    invariant(available[currency] >= 0n && held[currency] >= 0n, `a ${currency} balance went below zero`);
  }
  return { ...state, available, held };
}
