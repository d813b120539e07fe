import { LodeError } from '#kernel';
import { heldOf } from '../chart.js';
import { scales, type PaymentCurrency } from '../currencies.js';
import { fits, formatMoney, INVALID_AMOUNT, PAYOUT_SCALE, RATE_SCALE, type Minor } from '../money.js';
import { payoutAddress } from './addresses.js';
import type { Amounts } from '../postings.js';
import { approved, type ApprovalRule, type Decider } from './approvals.js';
import type { AccountEvent } from './events.js';
import { isMade, openRequest, openToConfirm } from './requests.js';
import type { OpenAccount } from './state.js';
import {
  checkPayable,
  conversionOf,
  conversionOfRequest,
  held,
  movement,
  payable,
  type Prices,
} from './conversion.js';

/** What must stay in the wallet after a withdrawal: one US dollar, in cents (specification, section 9). */
export const MINIMUM_REMAINING: Minor = 100n;

export type WithdrawalCommand =
  | {
      readonly type: 'RequestWithdrawal';
      readonly requestId: string;
      /** Whether whoever has not verified the e-mail address is refused. */
      readonly onlyVerified?: boolean;
      /** Cents. */
      readonly amount: Minor;
      readonly currency: PaymentCurrency;
      readonly prices: Prices;
      /** Units of the payout currency for one dollar, in units of 10^-RATE_SCALE; null while none was set. */
      readonly rate: Minor | null;
      /** Where whoever asks takes it to be paid, encrypted; null for wherever it goes. */
      readonly address: string | null;
    }
  | {
      readonly type: 'ConfirmWithdrawal';
      readonly requestId: string;
      readonly by?: Decider;
      /** By what the payment is found where it was made, encrypted. */
      readonly reference?: string;
      /** Left out where one admin decides. */
      readonly approval?: ApprovalRule;
    }
  | { readonly type: 'RejectWithdrawal'; readonly requestId: string; readonly by?: Decider };

type Of<Type extends WithdrawalCommand['type']> = Extract<WithdrawalCommand, { type: Type }>;

/**
 * What a customer can withdraw in a currency, in cents: the smaller of the available wallet less what must remain and
 * of what the currency's available balance is worth at its price; never negative.
 */
export function withdrawable(available: Amounts, currency: PaymentCurrency, price: Minor): Minor {
  const least = payable({ ...available, USD: available.USD - MINIMUM_REMAINING }, currency, price);
  return least > 0n ? least : 0n;
}

/**
 * Sets the amount aside, at today's price and rate. Specification, section 5: a saved wallet address comes first, and the
 * amount is not above what the currency's balance and the wallet allow.
 */
export function requestWithdrawal(
  command: Of<'RequestWithdrawal'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const { requestId, amount, currency, prices, rate, address } = command;
  if (amount <= 0n) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  if (isMade(state, requestId, { kind: 'withdrawal', amount, currency })) return [];
  const saved = payoutAddress(state, currency, now);
  if (saved === null) throw new LodeError('wallet_address_missing', 'Please save a wallet address first.');
  if (address !== null && address !== saved) throw addressDiffers();
  const conversion = conversionOf(amount, currency, prices);
  checkPayable(state, conversion);
  if (state.available.USD - amount < MINIMUM_REMAINING) throw belowMinimum();
  const hold = held(state, conversion, 'hold');
  return [
    {
      type: 'WithdrawalRequested',
      data: {
        requestId,
        ...hold,
        rate,
        convertedAmount: rate === null ? 0n : payout(amount, rate),
        address: saved,
      },
    },
  ];
}

/** US dollars in the payout currency, rounded down. Refuses with `amount_invalid` what is more than can be held. */
function payout(amount: Minor, rate: Minor): Minor {
  const paid = (amount * rate) / 10n ** BigInt(RATE_SCALE + scales.USD - PAYOUT_SCALE);
  if (!fits(paid)) throw new LodeError('amount_invalid', INVALID_AMOUNT);
  return paid;
}

/**
 * Specification, section 4: the wallet and the currency go down together. What was set aside is paid, so that prices that
 * moved meanwhile change nothing. An admin may have debited the account since: the wallet must still keep its minimum.
 */
export function confirmWithdrawal(
  command: Of<'ConfirmWithdrawal'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const { requestId } = command;
  const request = openToConfirm(state, requestId, 'withdrawal');
  if (state.available.USD + state.held.USD - request.amount < MINIMUM_REMAINING) throw belowMinimum();
  const conversion = conversionOfRequest(request);
  const { reference = null } = command;
  const paid = movement(state, heldOf(state.userId), 'operator/payouts', conversion);
  const data = { requestId, reference, ...paid };
  return approved(command, request, { type: 'WithdrawalConfirmed', data }, now);
}

/** What was set aside is available again. */
export function rejectWithdrawal(
  { requestId }: Of<'RejectWithdrawal'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  const conversion = conversionOfRequest(openRequest(state, requestId, 'withdrawal'));
  return [{ type: 'WithdrawalRejected', data: { requestId, ...held(state, conversion, 'release') } }];
}

/** The refusal of an address that is not the one in force. */
export function addressDiffers(): LodeError {
  const message = 'This is not the address in force. Save it first: a change counts after the waiting time.';
  return new LodeError('wallet_address_differs', message);
}

function belowMinimum(): LodeError {
  const minimum = formatMoney(MINIMUM_REMAINING, 'USD');
  return new LodeError('insufficient_balance', 'Insufficient wallet balance', { minimumRemaining: minimum });
}
