import { invariant, LodeError } from '#kernel';
import { availableOf } from '../chart.js';
import type { PaymentCurrency } from '../currencies.js';
import { fits, sizeOf, type Minor } from '../money.js';
import { approvalBy, approved, openProposal, type ApprovalRule, type Decider } from './approvals.js';
import type { AccountEvent, AdjustmentEntry, Evidence } from './events.js';
import { isMade, openRequest, openToConfirm } from './requests.js';
import { evolve, type Account, type OpenAccount } from './state.js';
import { conversionOf, insufficient, movement, type Prices } from './conversion.js';

/** What the product says when the amount of a fund request won't do (specification, section 5). */
export const FUNDING_AMOUNT = 'Please enter a valid amount and upload payment evidence.';

/** What a second request on one file is told. */
const EVIDENCE_IN_USE =
  'This payment evidence belongs to another request. Please upload the evidence of this payment.';

export type FundingCommand =
  | {
      readonly type: 'RequestFunding';
      readonly requestId: string;
      /** Whether whoever has not verified the e-mail address is refused. */
      readonly onlyVerified?: boolean;
      /** Cents. */
      readonly amount: Minor;
      readonly currency: PaymentCurrency;
      readonly evidence: Evidence;
      /** Where deposits in the currency go at the moment; null while no address is set. */
      readonly depositAddress: string | null;
    }
  | {
      readonly type: 'ConfirmFunding';
      readonly requestId: string;
      readonly by?: Decider;
      readonly prices: Prices;
      /** Left out where one admin decides. */
      readonly approval?: ApprovalRule;
    }
  | { readonly type: 'RejectFunding'; readonly requestId: string; readonly by?: Decider }
  | {
      readonly type: 'AdjustWallet';
      readonly by?: Decider;
      /** Cents for each currency they are booked in: negative debits, zero is skipped (specification, section 5). */
      readonly entries: readonly AdjustmentEntry[];
      readonly prices: Prices;
      /** What it goes by, and by which id it waits, where it may take others; left out where one admin decides. */
      readonly approval?: ApprovalRule & { readonly requestId: string };
    }
  | {
      readonly type: 'ApproveAdjustment';
      readonly requestId: string;
      readonly prices: Prices;
      readonly approval: ApprovalRule;
    }
  | { readonly type: 'RejectAdjustment'; readonly requestId: string; readonly by?: Decider };

type Of<Type extends FundingCommand['type']> = Extract<FundingCommand, { type: Type }>;

/** Specification, section 5: an amount that is not zero, and evidence. A customer's amount is also never negative. */
export function requestFunding(command: Of<'RequestFunding'>, state: OpenAccount): readonly AccountEvent[] {
  const { requestId, amount, currency, evidence, depositAddress } = command;
  if (amount <= 0n || !fits(amount)) throw new LodeError('amount_invalid', FUNDING_AMOUNT);
  if (isMade(state, requestId, { kind: 'funding', amount, currency })) return [];
  // A file shows one payment. One whose request was rejected may be shown again.
  if (state.evidence.has(evidence.fileId)) throw new LodeError('evidence_in_use', EVIDENCE_IN_USE);
  return [{ type: 'FundingRequested', data: { amount, currency, depositAddress, evidence, requestId } }];
}

/**
 * Specification, section 4: the wallet and the balance of the chosen currency go up together, once. The price is the one in
 * force at the confirmation and stays in the event.
 */
export function confirmFunding(
  command: Of<'ConfirmFunding'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const { requestId, prices } = command;
  const request = openToConfirm(state, requestId, 'funding');
  const { amount, currency } = request;
  const conversion = conversionOf(amount, currency, prices);
  const data = { ...movement(state, 'operator/deposits', availableOf(state.userId), conversion), requestId };
  return approved(command, request, { type: 'FundingConfirmed', data }, now);
}

/** Nothing moves. */
export function rejectFunding(command: Of<'RejectFunding'>, state: OpenAccount): readonly AccountEvent[] {
  openRequest(state, command.requestId, 'funding');
  return [{ type: 'FundingRejected', data: { requestId: command.requestId } }];
}

/**
 * Specification, section 5: amounts per currency, one event for each that is not zero, all of them or none. What takes more
 * than one admin waits for the others, and moves nothing.
 */
export function adjustWallet(
  command: Of<'AdjustWallet'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const { approval } = command;
  const entries = command.entries.filter((entry) => entry.amount !== 0n);
  const booked = adjustments(entries, command.prices, state);
  if (approval === undefined) return booked;
  const { requestId } = approval;
  const { by, until, needed } = approvalBy(approval, [], now);
  if (needed <= 1) return booked;
  if (state.proposals.has(requestId))
    throw new LodeError('request_exists', 'There is another adjustment with this id.');
  return [{ type: 'AdjustmentProposed', data: { requestId, entries, by, until, needed } }];
}

/** One more approval of an adjustment that waits; the last one books it, at the prices of then. */
export function approveAdjustment(
  { requestId, prices, approval }: Of<'ApproveAdjustment'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const { entries, approvals } = openProposal(state, requestId, now);
  const given = approvalBy(approval, approvals, now);
  const event: AccountEvent = { type: 'AdjustmentApproved', data: { requestId, ...given } };
  return given.given < given.needed ? [event] : [event, ...adjustments(entries, prices, state)];
}

/** Nothing moves. */
export function rejectAdjustment(
  { requestId }: Of<'RejectAdjustment'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  openProposal(state, requestId);
  return [{ type: 'AdjustmentRejected', data: { requestId } }];
}

/** What books entries, one after the other. */
function adjustments(
  entries: readonly AdjustmentEntry[],
  prices: Prices,
  state: OpenAccount,
): readonly AccountEvent[] {
  if (entries.length === 0) throw new LodeError('amount_invalid', 'Please enter an amount other than zero.');
  const events: AccountEvent[] = [];
  let account: Account = state;
  for (const [n, { currency, amount }] of entries.entries()) {
    invariant(account.kind === 'open', 'a movement leaves the account open');
    const event = adjusted(account, currency, amount, prices);
    events.push(event);
    if (n < entries.length - 1) account = evolve(account, event);
  }
  return events;
}

function adjusted(
  state: OpenAccount,
  currency: PaymentCurrency,
  amount: Minor,
  prices: Prices,
): AccountEvent {
  const own = availableOf(state.userId);
  const conversion = conversionOf(sizeOf(amount), currency, prices);
  if (amount > 0n)
    return { type: 'WalletCredited', data: movement(state, 'operator/adjustments', own, conversion) };
  checkSpendable(state, conversion);
  return { type: 'WalletDebited', data: movement(state, own, 'operator/adjustments', conversion) };
}

/** Refuses with `insufficient_balance` what the account does not have available, in dollars or in the currency. */
function checkSpendable(
  state: OpenAccount,
  { currency, amount, converted }: { currency: PaymentCurrency; amount: Minor; converted: Minor },
): void {
  if (state.available.USD < amount || state.available[currency] < converted) throw insufficient(currency);
}
