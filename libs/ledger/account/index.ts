import type { Decider } from '#kernel';
import { decide, type AccountCommand } from './decide.js';
import { accountCodecs } from './codecs.js';
import type { AccountEvent } from './events.js';
import { accountBytes, evolve, noAccount, type Account } from './state.js';

/** One person: profile, money, requests, bonus cycle. Everything that a rule about that person's money looks at. */
export const accountDecider: Decider<AccountCommand, AccountEvent, Account> = {
  initial: noAccount,
  decide,
  evolve,
  sizeOf: accountBytes,
  codecs: accountCodecs,
};

/** The stream of a person. */
export function accountStream(userId: string): string {
  return `account-${userId}`;
}

export { inForce, isWaiting, payoutAddress, slotOf } from './addresses.js';
export { accrueBonus, bonusDueAt, dueDays, type BonusAccount } from './bonus.js';
export type { ApprovalRule } from './approvals.js';
export type { AccountCommand } from './decide.js';
export {
  isBooked,
  postingsOf,
  type AcceptedTexts,
  type AccountEvent,
  type AdjustmentEntry,
  type BookedEvent,
  type DelayReason,
  type Evidence,
  type Receiver,
  type StoredFile,
  type Conversion,
} from './events.js';
export { FUNDING_AMOUNT } from './funding.js';
export { withCanceled, withSaved } from './state.js';
export type {
  Account,
  AccountRequest,
  AddressSlot,
  Approval,
  BonusCycle,
  OpenAccount,
  Proposal,
  RequestStatus,
  WalletAddress,
} from './state.js';
export { addressDiffers, MINIMUM_REMAINING, withdrawable } from './withdrawals.js';
export { payable, type Prices } from './conversion.js';
