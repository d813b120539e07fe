import { displayMoney, type AccountEvent } from '#ledger';
import type { NotificationDocument, TransactionDocument } from '#projections';
import { utcMinute } from '../utc-minute.js';

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
  RequestApproved: 'Request approved by one of several admins',
  AdjustmentProposed: 'Adjustment asked for by an admin; others have to approve it',
  AdjustmentApproved: 'Adjustment approved by one of several admins',
  AdjustmentRejected: 'Adjustment rejected by an admin',
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

const secondFactor: Readonly<Record<NonNullable<NotificationDocument['change']>, string>> = {
  'set up': 'A second factor was set up for your account.',
  removed: 'The second factor of your account was removed.',
  'passkey added': 'A passkey was added to your account.',
  'passkey removed': 'A passkey of your account was removed.',
  'recovery code used': 'A recovery code of your account was used.',
  'new recovery codes': 'New recovery codes were drawn for your account.',
};

const emailNotChanged: Readonly<Record<NonNullable<NotificationDocument['failure']>, string>> = {
  canceled: 'The change of your e-mail address was canceled.',
  taken: 'Your e-mail address was not changed: another account has the new one.',
  void: 'Your e-mail address was not changed: the link was no longer good.',
};

/** One of no currency is that of each which has none of its own. */
function addressOf({ currency }: NotificationDocument): string {
  return currency === null ? 'wallet address' : `${currency} wallet address`;
}

function savedAddress(told: NotificationDocument): string {
  const { created, inForceFrom: from } = told;
  // Also one that was in force before, which undoes a change.
  if (from === null || from <= created) return `Your ${addressOf(told)} was saved.`;
  return `Another ${addressOf(told)} was saved. It is in force from ${utcMinute(from)}; until then you can cancel it in Settings.`;
}

/** What a customer is told of each kind of event; `money` is the amount as it is shown. */
const sentences: Readonly<
  Record<NotificationDocument['kind'], (money: string, told: NotificationDocument) => string>
> = {
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
  WalletAddressSaved: (_, told) => savedAddress(told),
  WalletAddressCanceled: (_, told) => `The change of your ${addressOf(told)} was canceled.`,
  SignedIn: () => 'Somebody signed in as you from a network where you never did.',
  PasswordChanged: () => 'Your password was changed.',
  PasswordReset: () => 'Your password was set anew by a link that was mailed to you.',
  SecondFactorChanged: (_, { change }) =>
    change === null ? 'Your second factor was changed.' : secondFactor[change],
  EmailChangeAsked: () =>
    'Another e-mail address was asked for. It is yours once the link that was sent there is used.',
  EmailChanged: () => 'Your e-mail address was changed.',
  EmailChangeFailed: (_, { failure }) =>
    failure === null ? 'Your e-mail address was not changed.' : emailNotChanged[failure],
  TransferPinSet: () => 'A transfer pin was set for your account.',
};

/** The sentence of a notification. */
export function sentenceOf(told: NotificationDocument): string {
  const { kind, amount, currency } = told;
  const dollars = amount === null ? '' : `$${displayMoney(amount, 'USD')}`;
  const money = currency === null ? dollars : `${dollars} (${currency})`;
  return sentences[kind](money, told);
}
