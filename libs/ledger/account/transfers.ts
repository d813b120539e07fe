import { LodeError } from '#kernel';
import { availableOf, heldOf } from '../chart.js';
import type { PaymentCurrency } from '../currencies.js';
import { fits, INVALID_AMOUNT, type Minor } from '../money.js';
import { approved, type ApprovalRule, type Decider } from './approvals.js';
import type { AccountEvent, Conversion, Receiver, RefusedBecause } from './events.js';
import { isMade, openRequest, openToConfirm, requestOfKind } from './requests.js';
import type { OpenAccount } from './state.js';
import {
  checkPayable,
  conversionOf,
  conversionOfRequest,
  held,
  movement,
  type Prices,
} from './conversion.js';

export type TransferCommand =
  | {
      readonly type: 'RequestTransfer';
      readonly requestId: string;
      /** Whether whoever has not verified the e-mail address is refused. */
      readonly onlyVerified?: boolean;
      readonly transferType: 'local' | 'international';
      /** The customer that the account number belongs to; null for a bank transfer that leaves the platform. */
      readonly receiver: Receiver | null;
      /** Cents. */
      readonly amount: Minor;
      readonly currency: PaymentCurrency;
      readonly prices: Prices;
      /** Bank, account, holder and narration, encrypted. */
      readonly details: string;
    }
  | {
      readonly type: 'ConfirmTransfer';
      readonly requestId: string;
      readonly by?: Decider;
      /** Left out where one admin decides. */
      readonly approval?: ApprovalRule;
    }
  | { readonly type: 'RejectTransfer'; readonly requestId: string; readonly by?: Decider }
  /** To the receiver's account: a transfer of `from` that was confirmed there; what it is worth comes from that event. */
  | {
      readonly type: 'ReceiveTransfer';
      readonly transferId: string;
      readonly from: string;
      readonly conversion: Conversion;
    }
  /** To the sender's account: the receiver has it. */
  | { readonly type: 'SettleTransfer'; readonly requestId: string }
  /** To the sender's account: the receiver could not take it. */
  | { readonly type: 'ReturnTransfer'; readonly requestId: string };

type Of<Type extends TransferCommand['type']> = Extract<TransferCommand, { type: Type }>;

/** Sets the amount aside, at today's price. */
export function requestTransfer(command: Of<'RequestTransfer'>, state: OpenAccount): readonly AccountEvent[] {
  const { requestId, transferType, receiver, amount, currency, prices, details } = command;
  if (amount <= 0n) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  if (isMade(state, requestId, { kind: 'transfer', amount, currency, receiver })) return [];
  if (receiver?.userId === state.userId)
    throw new LodeError('transfer_to_self', 'A transfer goes to another account than your own.');
  const conversion = conversionOf(amount, currency, prices);
  checkPayable(state, conversion);
  const data = { requestId, transferType, receiver, ...held(state, conversion, 'hold'), details };
  return [{ type: 'TransferRequested', data }];
}

/** What was set aside leaves the sender: into transit towards a customer, or out of the platform. */
export function confirmTransfer(
  command: Of<'ConfirmTransfer'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const { requestId } = command;
  const request = openToConfirm(state, requestId, 'transfer');
  const { receiver } = request;
  const to = receiver === null ? 'operator/payouts' : 'transit';
  const moving = movement(state, heldOf(state.userId), to, conversionOfRequest(request));
  const data = { requestId, receiver, ...moving };
  return approved(command, request, { type: 'TransferConfirmed', data }, now);
}

/** What was set aside is available again. */
export function rejectTransfer(
  { requestId }: Of<'RejectTransfer'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  const conversion = conversionOfRequest(openRequest(state, requestId, 'transfer'));
  return [{ type: 'TransferRejected', data: { requestId, ...held(state, conversion, 'release') } }];
}

/** Books what is in transit to the receiver, once; or says, once, why it can't be booked, so that it goes back. */
export function receiveTransfer(command: Of<'ReceiveTransfer'>, state: OpenAccount): readonly AccountEvent[] {
  const { transferId, from, conversion } = command;
  if (state.incoming.has(transferId)) return [];
  const why = obstacle(state, conversion);
  if (why !== undefined) return [{ type: 'TransferRefused', data: { transferId, from, ...conversion, why } }];
  const data = { transferId, from, ...movement(state, 'transit', availableOf(state.userId), conversion) };
  return [{ type: 'TransferReceived', data }];
}

function obstacle(
  state: OpenAccount,
  { currency, amount, converted }: Conversion,
): RefusedBecause | undefined {
  if (state.role !== 'user') return 'not_a_customer';
  if (state.status !== 'active') return state.status;
  const wallet = state.available.USD + state.held.USD + amount;
  const balance = state.available[currency] + state.held[currency] + converted;
  return fits(wallet) && fits(balance) ? undefined : 'too_large';
}

/** The receiver has it: nothing moves here any more. */
export function settleTransfer(
  { requestId }: Of<'SettleTransfer'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  const { delivery } = requestOfKind(state, requestId, 'transfer');
  if (delivery === 'received') return [];
  if (delivery !== 'in transit') throw notInTransit();
  return [{ type: 'TransferSettled', data: { requestId } }];
}

/** What could not be delivered is available to the sender again. */
export function returnTransfer(
  { requestId }: Of<'ReturnTransfer'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  const request = requestOfKind(state, requestId, 'transfer');
  if (request.delivery === 'returned') return [];
  if (request.delivery !== 'in transit') throw notInTransit();
  const moving = movement(state, 'transit', availableOf(state.userId), conversionOfRequest(request));
  return [{ type: 'TransferReturned', data: { requestId, ...moving } }];
}

function notInTransit(): LodeError {
  return new LodeError('request_closed', 'This transfer is not under way.');
}
