import { LodeError, unreachable } from '#kernel';
import type { AdminsEvent } from './events.js';
import type { Admins } from './state.js';

/** `by` is the admin who decides it; left out where the operator or the program does. */
export type AdminsCommand =
  /** `isSuspended` of one who was kept out before there was this list. */
  | { readonly type: 'AdmitAdmin'; readonly userId: string; readonly isSuspended: boolean }
  | { readonly type: 'SuspendAdmin'; readonly userId: string; readonly by?: string }
  | { readonly type: 'ActivateAdmin'; readonly userId: string; readonly by?: string }
  | { readonly type: 'RemoveAdmin'; readonly userId: string };

/**
 * What the list of admins answers to a command. Refuses with `not_permitted` what would leave nobody who may act as an
 * admin, and whoever may not act as one any more.
 */
export function decide(command: AdminsCommand, state: Admins): readonly AdminsEvent[] {
  const { userId } = command;
  const standing = state.get(userId);
  const data = { userId };
  switch (command.type) {
    case 'AdmitAdmin': {
      if (standing !== undefined) return [];
      const admitted: AdminsEvent = { type: 'AdminAdmitted', data };
      return command.isSuspended ? [admitted, { type: 'AdminSuspended', data }] : [admitted];
    }
    case 'SuspendAdmin':
      refuseOthers(command.by, state);
      if (standing !== 'active') return [];
      refuseLast(state);
      return [{ type: 'AdminSuspended', data }];
    case 'ActivateAdmin':
      refuseOthers(command.by, state);
      return standing === 'suspended' ? [{ type: 'AdminActivated', data }] : [];
    case 'RemoveAdmin':
      if (standing === undefined || standing === 'removed') return [];
      if (standing === 'active') refuseLast(state);
      return [{ type: 'AdminRemoved', data }];
    default:
      return unreachable(command);
  }
}

/** Somebody who was kept out a moment ago, by a command that came first, decides nothing any more. */
function refuseOthers(by: string | undefined, state: Admins): void {
  if (by !== undefined && state.get(by) !== 'active')
    throw new LodeError('not_permitted', 'You may not act as an admin any more.');
}

function refuseLast(state: Admins): void {
  const active = [...state.values()].filter((standing) => standing === 'active');
  if (active.length <= 1)
    throw new LodeError(
      'not_permitted',
      'This is the only admin who may come in. Please let another one in first.',
    );
}
