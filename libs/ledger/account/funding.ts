import { invariant, LodeError } from '#kernel';
import { availableOf } from '../chart.js';
import type { PaymentCurrency } from '../currencies.js';
import { fits, sizeOf, type Minor } from '../money.js';
import type { AccountEvent, Evidence } from './events.js';
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
  | { readonly type: 'ConfirmFunding'; readonly requestId: string; readonly prices: Prices }
  | { readonly type: 'RejectFunding'; readonly requestId: string }
  | {
      readonly type: 'AdjustWallet';
      /** Cents for each currency they are booked in: negative debits, zero is skipped (specification, section 5). */
      readonly entries: readonly { readonly currency: PaymentCurrency; readonly amount: Minor }[];
      readonly prices: Prices;
    };

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
export function confirmFunding(command: Of<'ConfirmFunding'>, state: OpenAccount): readonly AccountEvent[] {
  const { requestId, prices } = command;
  const { amount, currency } = openToConfirm(state, requestId, 'funding');
  const conversion = conversionOf(amount, currency, prices);
  const data = { ...movement(state, 'operator/deposits', availableOf(state.userId), conversion), requestId };
  return [{ type: 'FundingConfirmed', data }];
}

/** Nothing moves. */
export function rejectFunding(command: Of<'RejectFunding'>, state: OpenAccount): readonly AccountEvent[] {
  openRequest(state, command.requestId, 'funding');
  return [{ type: 'FundingRejected', data: { requestId: command.requestId } }];
}

/** Specification, section 5: amounts per currency, one event for each that is not zero, all of them or none. */
export function adjustWallet(command: Of<'AdjustWallet'>, state: OpenAccount): readonly AccountEvent[] {
  const entries = command.entries.filter((entry) => entry.amount !== 0n);
  if (entries.length === 0) throw new LodeError('amount_invalid', 'Please enter an amount other than zero.');
  const events: AccountEvent[] = [];
  let account: Account = state;
  for (const [n, { currency, amount }] of entries.entries()) {
    invariant(account.kind === 'open', 'a movement leaves the account open');
    const event = adjusted(account, currency, amount, command.prices);
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
