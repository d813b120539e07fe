import { isLodeError, type ErrorCode } from '#kernel';
import {
  accountDecider,
  parseDecimal,
  parseMoney,
  perPaymentCurrency,
  PRICE_SCALE,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type OpenAccount,
  type PaymentCurrency,
  type Prices,
  type Receiver,
} from '#ledger';

/** The person that the builders open. */
export const customerId = 'u1';

const NOW = '2026-01-01T00:00:00.000Z';

/** The account after commands that must all be taken. */
export function accountOf(...commands: readonly AccountCommand[]): Account {
  return commands.reduce<Account>(
    (state, command) => accountDecider.decide(command, state, NOW).reduce(accountDecider.evolve, state),
    accountDecider.initial,
  );
}

/** A customer after commands that must all be taken. */
export function customer(...commands: readonly AccountCommand[]): OpenAccount {
  const opening = {
    type: 'OpenAccount',
    userId: customerId,
    accountNumber: '3012345678',
    role: 'user',
    profile: 'sealed',
  } as const;
  const state = accountOf(opening, ...commands);
  if (state.kind !== 'open') throw new Error('the account was not opened');
  return state;
}

/** A request for funding of US dollars in a currency, with evidence of its own. */
export function fundingOf(
  requestId: string,
  dollars: string,
  currency: PaymentCurrency,
): Extract<AccountCommand, { type: 'RequestFunding' }> {
  const evidence = { fileId: `f-${requestId}`, mediaType: 'image/png', bytes: 3, sha256: 'ab' };
  const amount = parseMoney(dollars, 'USD');
  return { type: 'RequestFunding', requestId, amount, currency, evidence, depositAddress: null };
}

/** Prices in dollars; 1 for what is left out. */
export function pricesOf(dollars: Partial<Record<PaymentCurrency, string>> = {}): Prices {
  return perPaymentCurrency((currency) => parseDecimal(dollars[currency] ?? '1', PRICE_SCALE));
}

/** An admin's credit of US dollars in a currency; a debit when they are negative. */
export function adjusting(
  currency: PaymentCurrency,
  dollars: string,
  prices: Prices = pricesOf(),
): Extract<AccountCommand, { type: 'AdjustWallet' }> {
  return { type: 'AdjustWallet', entries: [{ currency, amount: parseMoney(dollars, 'USD') }], prices };
}

/** An admin's confirmation of a fund request. */
export function confirmingFunding(requestId: string, prices: Prices = pricesOf()): AccountCommand {
  return { type: 'ConfirmFunding', requestId, prices };
}

/** An admin's refusal of a fund request. */
export function rejectingFunding(requestId: string): AccountCommand {
  return { type: 'RejectFunding', requestId };
}

/** A withdrawal of US dollars from the balance of a currency. */
export function withdrawalOf(
  requestId: string,
  dollars: string,
  currency: PaymentCurrency,
  prices: Prices = pricesOf(),
): Extract<AccountCommand, { type: 'RequestWithdrawal' }> {
  const amount = parseMoney(dollars, 'USD');
  return { type: 'RequestWithdrawal', requestId, amount, currency, prices, rate: null, address: 'sealed' };
}

/** A transfer of US dollars from the balance of a currency to a customer, or to a bank. */
export function transferOf(
  requestId: string,
  dollars: string,
  currency: PaymentCurrency,
  receiver: Receiver | null = { userId: 'u2', accountNumber: '3087654321' },
): Extract<AccountCommand, { type: 'RequestTransfer' }> {
  return {
    type: 'RequestTransfer',
    requestId,
    transferType: 'local',
    receiver,
    amount: parseMoney(dollars, 'USD'),
    currency,
    prices: pricesOf(),
    details: 'sealed',
  };
}

/** The events of a command, or none when it was refused; anything but a refusal is thrown. */
export function taken(command: AccountCommand, state: Account, now: string = NOW): readonly AccountEvent[] {
  try {
    return accountDecider.decide(command, state, now);
  } catch (error) {
    if (isLodeError(error)) return [];
    throw error;
  }
}

/** The code and words that a decision refuses with; undefined when it does not. What is not a refusal is thrown. */
export function refusalOf(
  decide: () => readonly AccountEvent[],
): { code: ErrorCode; message: string } | undefined {
  try {
    decide();
    return undefined;
  } catch (error) {
    if (!isLodeError(error)) throw error;
    return { code: error.code, message: error.message };
  }
}
