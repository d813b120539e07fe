import type { Decider } from '#kernel';
import { decide, type AccountCommand } from './decide.js';
import { accountEventVersions, type AccountEvent } from './events.js';
import { evolve, noAccount, type Account } from './state.js';

/** One person: profile, money, requests. Everything that a rule about that person's money looks at. */
export const accountDecider: Decider<AccountCommand, AccountEvent, Account> = {
  initial: noAccount,
  decide,
  evolve,
  versions: accountEventVersions,
};

/** The stream of a person. */
export function accountStream(userId: string): string {
  return `account-${userId}`;
}

export type { AccountCommand, Prices } from './decide.js';
export { postingsOf, type AccountEvent, type Evidence } from './events.js';
export type { Account, FundRequest, OpenAccount } from './state.js';
