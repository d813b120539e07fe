import { accountNotFound, LodeError, unreachable } from '#kernel';
import { cancelWalletAddress, saveWalletAddress, type AddressCommand } from './addresses.js';
import { refuseOwn } from './approvals.js';
import { accrueBonus, restartBonusCycle, startBonusCycle, stopBonus, type BonusCommand } from './bonus.js';
import type { AccountEvent } from './events.js';
import {
  adjustWallet,
  approveAdjustment,
  confirmFunding,
  rejectAdjustment,
  rejectFunding,
  requestFunding,
  type FundingCommand,
} from './funding.js';
import {
  activate,
  changeProfile,
  changeProfileImage,
  delayMoneyOut,
  forgetPerson,
  mayPayOut,
  open,
  suspend,
  verifyEmail,
  type PersonCommand,
} from './person.js';
import type { Account, OpenAccount } from './state.js';
import {
  confirmTransfer,
  receiveTransfer,
  rejectTransfer,
  requestTransfer,
  returnTransfer,
  settleTransfer,
  type TransferCommand,
} from './transfers.js';
import {
  confirmWithdrawal,
  rejectWithdrawal,
  requestWithdrawal,
  type WithdrawalCommand,
} from './withdrawals.js';

export type AccountCommand =
  PersonCommand | AddressCommand | FundingCommand | WithdrawalCommand | TransferCommand | BonusCommand;

/** What processes send to whoever an event names: the decision itself says when there is nothing to do. */
const toAnyone: readonly AccountCommand['type'][] = [
  'ReceiveTransfer',
  'SettleTransfer',
  'ReturnTransfer',
  'StartBonusCycle',
  'AccrueBonus',
];

type MoneyCommand = FundingCommand | WithdrawalCommand | TransferCommand | BonusCommand;

/** What the account answers to a command at `now` (ISO). Refusals are `LodeError`s; see the codes in each case. */
export function decide(command: AccountCommand, state: Account, now: string): readonly AccountEvent[] {
  if (command.type === 'OpenAccount') return open(command, state);
  if (state.kind === 'none') throw missing(command);
  if (command.type === 'ForgetPerson') return forgetPerson(command, state);
  if (state.status === 'closed' && !toAnyone.includes(command.type))
    throw new LodeError('account_closed', 'This account was closed for ever.');
  switch (command.type) {
    case 'ChangeProfile':
      return changeProfile(command, state);
    case 'ChangeProfileImage':
      return changeProfileImage(command, state);
    case 'SaveWalletAddress':
      return saveWalletAddress(command, state, now);
    case 'CancelWalletAddress':
      return cancelWalletAddress(command, state, now);
    case 'DelayMoneyOut':
      return delayMoneyOut(command, state, now);
    case 'VerifyEmail':
      return verifyEmail(state);
    case 'Suspend':
      return suspend(state);
    case 'Activate':
      return activate(state);
    default:
      return decideMoney(command, state, now);
  }
}

/** The specification has other words for the decision of a request whose customer is missing. */
function missing({ type }: AccountCommand): LodeError {
  const isDecision = type.startsWith('Confirm') || type.startsWith('Reject');
  return isDecision ? new LodeError('account_not_found', 'User does not exist') : accountNotFound();
}

function decideMoney(command: MoneyCommand, state: OpenAccount, now: string): readonly AccountEvent[] {
  switch (command.type) {
    case 'ReceiveTransfer':
      return receiveTransfer(command, state);
    case 'StartBonusCycle':
      return startBonusCycle(command, state, now);
    case 'AccrueBonus':
      return accrueBonus(command, state, now);
    default:
      refuseOwn(command, state);
      if (state.role !== 'user') throw new LodeError('not_a_customer', 'Only a customer has a wallet.');
      return decideCustomer(command, state, now);
  }
}

function decideCustomer(
  command: Exclude<MoneyCommand, { type: 'ReceiveTransfer' | 'StartBonusCycle' | 'AccrueBonus' }>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  switch (command.type) {
    case 'RequestFunding':
      return requestFunding(command, mayAsk(state, command));
    case 'ConfirmFunding':
      return confirmFunding(command, state, now);
    case 'RejectFunding':
      return rejectFunding(command, state);
    case 'AdjustWallet':
      return adjustWallet(command, state, now);
    case 'ApproveAdjustment':
      return approveAdjustment(command, state, now);
    case 'RejectAdjustment':
      return rejectAdjustment(command, state);
    case 'RequestWithdrawal':
      return requestWithdrawal(command, mayPayOut(mayAsk(state, command), now), now);
    case 'ConfirmWithdrawal':
      return confirmWithdrawal(command, state, now);
    case 'RejectWithdrawal':
      return rejectWithdrawal(command, state);
    case 'RequestTransfer':
      return requestTransfer(command, mayPayOut(mayAsk(state, command), now));
    case 'ConfirmTransfer':
      return confirmTransfer(command, state, now);
    case 'RejectTransfer':
      return rejectTransfer(command, state);
    case 'SettleTransfer':
      return settleTransfer(command, state);
    case 'ReturnTransfer':
      return returnTransfer(command, state);
    case 'RestartBonusCycle':
      return restartBonusCycle(command, state, now);
    case 'StopBonus':
      return stopBonus(command, state, now);
    default:
      return unreachable(command);
  }
}

/**
 * A suspended customer asks for nothing; admins still decide what was asked before. Whoever has not verified the e-mail
 * address asks for nothing that must be by `onlyVerified`.
 */
function mayAsk(
  state: OpenAccount,
  { onlyVerified = false }: { readonly onlyVerified?: boolean },
): OpenAccount {
  if (state.status === 'suspended')
    throw new LodeError('account_suspended', 'Account suspended. Please contact admin.');
  if (onlyVerified && !state.isEmailVerified)
    throw new LodeError(
      'email_unverified',
      'Please verify your e-mail address first, by the link in our mail.',
    );
  return state;
}
