import { displayMoney, type AccountEvent } from '#ledger';
import type { NotificationDocument, TransactionDocument } from '#projections';

/** What a line of a statement is called. The bonus is called what it is, on every statement. */
export const descriptions: Readonly<Record<TransactionDocument['source'], string>> = {
  FundingConfirmed: 'Funding',
  WalletCredited: 'Credited by an admin',
  WalletDebited: 'Debited by an admin',
  BalanceWrittenOff: 'Remainder written off',
  WithdrawalConfirmed: 'Withdrawal',
  TransferConfirmed: 'Transfer sent',
  TransferReturned: 'Transfer returned',
  TransferReceived: 'Transfer received',
  BonusAccrued: 'Promotional bonus paid by the operator',
};

/** What a statement calls what only sets money aside, or gives it free again. */
const holds = {
  WithdrawalRequested: 'Withdrawal requested: set aside',
  WithdrawalRejected: 'Withdrawal rejected: available again',
  TransferRequested: 'Transfer requested: set aside',
  TransferRejected: 'Transfer rejected: available again',
} as const;

/** What a history calls what moves no money of the account. */
type Fact = Exclude<AccountEvent['type'], TransactionDocument['source'] | keyof typeof holds>;
const facts: Readonly<Record<Fact, string>> = {
  AccountOpened: 'Account opened',
  TermsAccepted: 'Terms and privacy notice accepted',
  ProfileChanged: 'Profile, display or read mark changed',
  ProfileImageChanged: 'Profile image changed',
  WalletAddressSaved: 'Wallet address saved',
  WalletAddressCanceled: 'Change of the wallet address canceled',
  EmailVerificationAsked: 'Asked to verify the e-mail address',
  EmailVerified: 'E-mail address verified',
  MoneyOutDelayed: 'Money out has to wait',
  AccountSuspended: 'Account suspended',
  AccountActivated: 'Account activated',
  PersonForgotten: 'Personal data erased',
  FundingRequested: 'Funding requested',
  FundingRejected: 'Funding rejected',
  TransferSettled: 'Transfer delivered',
  TransferRefused: 'Transfer to this account refused',
  BonusCycleStarted: 'Cycle of the promotional bonus started',
  BonusCycleRestarted: 'Cycle of the promotional bonus restarted',
  BonusStopped: 'Promotional bonus stopped',
};

const allDescriptions = new Map(Object.entries({ ...facts, ...holds, ...descriptions }));

/** What an event of an account is called; one of a newer Lode is called by its type. */
export function descriptionOf(type: string): string {
  return allDescriptions.get(type) ?? type;
}

/** What a customer is told of each kind of event; `money` is the amount as it is shown. */
const sentences: Readonly<Record<NotificationDocument['kind'], (money: string) => string>> = {
  FundingConfirmed: (money) => `Your fund request of ${money} was confirmed.`,
  FundingRejected: () => 'Your fund request was rejected.',
  WithdrawalConfirmed: (money) => `Your withdrawal of ${money} was confirmed.`,
  WithdrawalRejected: (money) => `Your withdrawal of ${money} was rejected. The amount is available again.`,
  TransferConfirmed: (money) => `Your transfer of ${money} was confirmed.`,
  TransferRejected: (money) => `Your transfer of ${money} was rejected. The amount is available again.`,
  TransferReceived: (money) => `You received a transfer of ${money}.`,
  TransferReturned: (money) =>
    `Your transfer of ${money} could not be delivered. The amount is available again.`,
  WalletCredited: (money) => `An admin credited ${money} to your wallet.`,
  WalletDebited: (money) => `An admin debited ${money} from your wallet.`,
  BonusAccrued: (money) => `The operator paid you a promotional bonus of ${money}.`,
  AccountSuspended: () => 'Your account was suspended.',
  AccountActivated: () => 'Your account was activated.',
};

/** The sentence of a notification. */
export function sentenceOf({ kind, amount, currency }: NotificationDocument): string {
  const dollars = amount === null ? '' : `$${displayMoney(amount, 'USD')}`;
  return sentences[kind](currency === null ? dollars : `${dollars} (${currency})`);
}
