import { LodeError } from '#kernel';
import { currencies } from '../money.js';
import type { AccountEvent, StoredFile } from './events.js';
import type { Account, OpenAccount } from './state.js';

export type PersonCommand =
  | {
      readonly type: 'OpenAccount';
      readonly userId: string;
      readonly accountNumber: string;
      readonly role: 'user' | 'admin';
      readonly profile: string;
    }
  /** The whole profile as it is to be, encrypted; the very text that the account has changes nothing. */
  | { readonly type: 'ChangeProfile'; readonly profile: string }
  | { readonly type: 'ChangeProfileImage'; readonly image: StoredFile }
  /** Encrypted, like the profile. */
  | { readonly type: 'SaveWalletAddress'; readonly address: string }
  | { readonly type: 'Suspend' }
  | { readonly type: 'Activate' }
  | { readonly type: 'ForgetPerson' };

type Of<Type extends PersonCommand['type']> = Extract<PersonCommand, { type: Type }>;

/** An account is opened once; the same opening again is fine. */
export function open(command: Of<'OpenAccount'>, state: Account): readonly AccountEvent[] {
  const { userId, accountNumber, role, profile } = command;
  if (state.kind === 'none')
    return [{ type: 'AccountOpened', data: { userId, accountNumber, role, profile } }];
  if (state.accountNumber === accountNumber && state.role === role) return [];
  throw new LodeError('account_exists', 'User already exists');
}

export function changeProfile({ profile }: Of<'ChangeProfile'>, state: OpenAccount): readonly AccountEvent[] {
  return profile === state.profile ? [] : [{ type: 'ProfileChanged', data: { profile } }];
}

export function changeProfileImage(
  { image }: Of<'ChangeProfileImage'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  return image.fileId === state.image?.fileId ? [] : [{ type: 'ProfileImageChanged', data: { image } }];
}

export function saveWalletAddress(
  { address }: Of<'SaveWalletAddress'>,
  state: OpenAccount,
): readonly AccountEvent[] {
  return address === state.address ? [] : [{ type: 'WalletAddressSaved', data: { address } }];
}

/** Specification, section 4: blocked and suspended are one thing, until the account is activated again. */
export function suspend(state: OpenAccount): readonly AccountEvent[] {
  return state.status === 'suspended' ? [] : [{ type: 'AccountSuspended', data: {} }];
}

export function activate(state: OpenAccount): readonly AccountEvent[] {
  return state.status === 'active' ? [] : [{ type: 'AccountActivated', data: {} }];
}

/**
 * Closes an account for ever. What its owner is owed must have been paid first: nobody could say afterwards whose it is.
 */
export function forgetPerson(state: OpenAccount): readonly AccountEvent[] {
  if (state.status === 'closed') return [];
  const hasMoney = currencies.some(
    (currency) => state.available[currency] !== 0n || state.held[currency] !== 0n,
  );
  const isUnderWay = state.requests.some(
    (request) =>
      request.status === 'Pending' || (request.kind === 'transfer' && request.delivery === 'in transit'),
  );
  if (hasMoney || isUnderWay)
    throw new LodeError(
      'account_not_empty',
      'This account has money or open requests. Settle them before it is closed.',
    );
  return [{ type: 'PersonForgotten', data: { role: state.role } }];
}
