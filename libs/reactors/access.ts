import { accessStream, accountStream, type LedgerEvent } from '#ledger';
import { invariant, type RecordedEvent } from '#kernel';
import type { Reactor } from './reactor.js';
import { idIn } from './streams.js';

/** What follows from coming in and from being kept out; the program knows how each is done. */
export type AccessFollowUp =
  /** Starts the person's bonus cycle by the policy in force, unless it was started before. */
  | { readonly type: 'StartBonusCycle'; readonly userId: string }
  /** Brings sessions and credentials in line with what the log says of the account. */
  | { readonly type: 'ReconcileAccess'; readonly userId: string }
  /** Gives the person the e-mail address that was confirmed, unless that was done; `emails` are encrypted with the person's key. */
  | {
      readonly type: 'FinishEmailChange';
      readonly userId: string;
      readonly changeId: string;
      readonly emails: string;
      readonly epoch: number;
      readonly session: string;
    };

/**
 * Starts the bonus cycle at a person's first sign-in, and takes access away when an account is suspended or closed, or
 * gives it back, also when the program died right after the account's own event, or an admin's in the list of admins. Makes a
 * confirmed change of the e-mail address that the program died before.
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
    'EmailChangeConfirmed',
  ] satisfies readonly LedgerEvent['type'][],
  keyOf: idIn,
  on: (event) => {
    const userId = idIn(event);
    switch (event.type) {
      case 'SignedIn':
        return [
          {
            stream: accountStream(userId),
            step: 'start-bonus',
            command: { type: 'StartBonusCycle', userId },
          },
        ];
      case 'EmailChangeConfirmed':
        return [
          {
            stream: accessStream(userId),
            step: 'change-email',
            command: { type: 'FinishEmailChange', userId, ...changeIn(event) },
          },
        ];
      default:
        return [
          { stream: accessStream(userId), step: 'reconcile', command: { type: 'ReconcileAccess', userId } },
        ];
    }
  },
};

function changeIn({ data: { changeId, emails, epoch, session } }: RecordedEvent) {
  const isChange =
    typeof changeId === 'string' &&
    typeof emails === 'string' &&
    typeof epoch === 'number' &&
    typeof session === 'string';
  invariant(isChange, 'a confirmed change of an e-mail address says which it is');
  return { changeId, emails, epoch, session };
}
