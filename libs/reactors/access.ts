import { accessStream, accountStream, type LedgerEvent } from '#ledger';
import type { Reactor } from './reactor.js';
import { idIn } from './streams.js';

/** What follows from coming in and from being kept out; the program knows how each is done. */
export type AccessFollowUp =
  /** Starts the person's bonus cycle by the policy in force, unless it was started before. */
  | { readonly type: 'StartBonusCycle'; readonly userId: string }
  /** Brings sessions and credentials in line with what the log says of the account. */
  | { readonly type: 'ReconcileAccess'; readonly userId: string };

/**
 * Starts the bonus cycle at a person's first sign-in, and takes access away when an account is suspended or closed, or
 * gives it back, also when the program died right after the account's own event, or an admin's in the list of admins.
 */
export const access: Reactor<AccessFollowUp, 'access'> = {
  name: 'access',
  handles: [
    'SignedIn',
    'AccountSuspended',
    'AccountActivated',
    'PersonForgotten',
    'AdminSuspended',
    'AdminActivated',
  ] satisfies readonly LedgerEvent['type'][],
  keyOf: idIn,
  on: (event) => {
    const userId = idIn(event);
    return event.type === 'SignedIn'
      ? [{ stream: accountStream(userId), step: 'start-bonus', command: { type: 'StartBonusCycle', userId } }]
      : [{ stream: accessStream(userId), step: 'reconcile', command: { type: 'ReconcileAccess', userId } }];
  },
};
