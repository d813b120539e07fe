import { invariant, LodeError, unreachable } from '#kernel';
import { availableOf, type LedgerAccount } from '../chart.js';
import {
  convertFromUsd,
  fits,
  formatDecimal,
  formatMoney,
  INVALID_AMOUNT,
  PRICE_SCALE,
  sizeOf,
  type Minor,
  type PaymentCurrency,
} from '../money.js';
import { move } from '../postings.js';
import type { AccountEvent, Evidence } from './events.js';
import { evolve, type Account, type FundRequest, type OpenAccount } from './state.js';

/** US dollars for one unit of each payment currency, in units of 10^-PRICE_SCALE. */
export type Prices = Readonly<Record<PaymentCurrency, Minor>>;

export type AccountCommand =
  | {
      readonly type: 'OpenAccount';
      readonly userId: string;
      readonly accountNumber: string;
      readonly role: 'user' | 'admin';
      readonly profile: string;
    }
  | {
      readonly type: 'RequestFunding';
      readonly requestId: string;
      /** Cents. */
      readonly amount: Minor;
      readonly currency: PaymentCurrency;
      readonly evidence: Evidence;
    }
  | { readonly type: 'ConfirmFunding'; readonly requestId: string; readonly prices: Prices }
  | { readonly type: 'RejectFunding'; readonly requestId: string }
  | {
      readonly type: 'AdjustWallet';
      /** Cents for each currency they are booked in: negative debits, zero is skipped (specification, section 5). */
      readonly entries: readonly { readonly currency: PaymentCurrency; readonly amount: Minor }[];
      readonly prices: Prices;
    };

/** What the account answers to a command. Refusals are `LodeError`s; see the codes in each case. */
export function decide(command: AccountCommand, state: Account): readonly AccountEvent[] {
  if (command.type === 'OpenAccount') return open(command, state);
  if (state.kind === 'none') throw new LodeError('account_not_found', 'User not found');
  if (state.role !== 'user') throw new LodeError('not_a_customer', 'Only a customer has a wallet.');
  switch (command.type) {
    case 'RequestFunding':
      return requestFunding(command, state);
    case 'ConfirmFunding':
      return confirmFunding(command, state);
    case 'RejectFunding':
      return rejectFunding(command, state);
    case 'AdjustWallet':
      return adjustWallet(command, state);
    default:
      return unreachable(command);
  }
}

type Of<Type extends AccountCommand['type']> = Extract<AccountCommand, { type: Type }>;

function open(command: Of<'OpenAccount'>, state: Account): readonly AccountEvent[] {
  const { userId, accountNumber, role, profile } = command;
  if (state.kind === 'none')
    return [{ type: 'AccountOpened', data: { userId, accountNumber, role, profile } }];
  if (state.accountNumber === accountNumber && state.role === role) return [];
  throw new LodeError('account_exists', 'User already exists');
}

/** Specification, section 5: an amount that is not zero, and evidence. A customer's amount is also never negative. */
function requestFunding(command: Of<'RequestFunding'>, state: OpenAccount): readonly AccountEvent[] {
  const { requestId, amount, currency, evidence } = command;
  if (amount <= 0n || !fits(amount)) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  const known = state.requests.get(requestId);
  if (known !== undefined) {
    if (known.amount === amount && known.currency === currency) return [];
    throw new LodeError('request_exists', 'There is another request with this id.');
  }
  return [
    { type: 'FundingRequested', data: { requestId, amount: formatMoney(amount, 'USD'), currency, evidence } },
  ];
}

/**
 * Specification, section 4: the wallet and the balance of the chosen currency go up together, once. The price is the one in
 * force at the confirmation and stays in the event.
 */
function confirmFunding(command: Of<'ConfirmFunding'>, state: OpenAccount): readonly AccountEvent[] {
  const { requestId, prices } = command;
  const { amount, currency } = openRequest(state, requestId);
  return [
    {
      type: 'FundingConfirmed',
      data: { requestId, ...movement(state, 'operator/deposits', currency, amount, prices) },
    },
  ];
}

function rejectFunding(command: Of<'RejectFunding'>, state: OpenAccount): readonly AccountEvent[] {
  openRequest(state, command.requestId);
  return [{ type: 'FundingRejected', data: { requestId: command.requestId } }];
}

/** The request, when it still waits for a decision: nothing changes a closed one (specification, section 4 and 8). */
function openRequest(state: OpenAccount, requestId: string): FundRequest {
  const request = state.requests.get(requestId);
  if (request === undefined) throw new LodeError('request_not_found', 'There is no such request.');
  if (request.status === 'confirmed')
    throw new LodeError('request_already_confirmed', 'Transaction already confirmed');
  if (request.status === 'rejected') throw new LodeError('request_closed', 'Transaction Closed');
  return request;
}

function adjustWallet(command: Of<'AdjustWallet'>, state: OpenAccount): readonly AccountEvent[] {
  const entries = command.entries.filter((entry) => entry.amount !== 0n);
  if (entries.length === 0) throw new LodeError('amount_invalid', 'Please enter an amount other than zero.');
  const events: AccountEvent[] = [];
  let account: Account = state;
  for (const { currency, amount } of entries) {
    invariant(account.kind === 'open', 'a movement leaves the account open');
    const data = movement(account, 'operator/adjustments', currency, amount, command.prices);
    const event: AccountEvent = { type: amount < 0n ? 'WalletDebited' : 'WalletCredited', data };
    account = evolve(account, event);
    events.push(event);
  }
  return events;
}

/**
 * The one shape of every movement: `amount` cents into the account from the other side (out of it when negative), and
 * what they are worth in `currency` beside them.
 */
function movement(
  state: OpenAccount,
  otherSide: LedgerAccount,
  currency: PaymentCurrency,
  amount: Minor,
  prices: Prices,
) {
  if (!fits(amount)) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  const converted = convertFromUsd(amount, currency, prices[currency]);
  const wallet = state.available.USD + amount;
  const balance = state.available[currency] + converted;
  if (wallet < 0n || balance < 0n) {
    throw new LodeError('insufficient_balance', `Insufficient ${currency} wallet balance!`);
  }
  if (!fits(wallet) || !fits(balance)) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  const own = availableOf(state.userId);
  const [from, to] = amount < 0n ? [own, otherSide] : [otherSide, own];
  return {
    currency,
    amount: formatMoney(sizeOf(amount), 'USD'),
    price: formatDecimal(prices[currency], PRICE_SCALE),
    converted: formatMoney(sizeOf(converted), currency),
    postings: [...move(from, to, 'USD', sizeOf(amount)), ...move(from, to, currency, sizeOf(converted))],
  };
}
