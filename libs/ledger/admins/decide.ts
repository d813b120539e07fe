import { LodeError, unreachable } from '#kernel';
import { accountActive } from '../blocked.js';
import type { AdminsEvent, Duty } from './events.js';
import type { Admin, Admins } from './state.js';

/** `by` is the admin who decides it; left out where the operator or the program does. */
export type AdminsCommand =
  /** Of somebody who registers: what they will be there for once they are admitted. */
  | { readonly type: 'ExpectAdmin'; readonly userId: string; readonly duty: Duty }
  /** `isSuspended` of one who was kept out before there was this list. */
  | { readonly type: 'AdmitAdmin'; readonly userId: string; readonly isSuspended: boolean }
  | { readonly type: 'SuspendAdmin'; readonly userId: string; readonly by?: string }
  | { readonly type: 'ActivateAdmin'; readonly userId: string; readonly by?: string }
  | { readonly type: 'ChangeDuty'; readonly userId: string; readonly duty: Duty; readonly by?: string }
  /** With `by` it is one whom somebody else erases, and who may not come in: refuses the others with `account_active`. */
  | { readonly type: 'RemoveAdmin'; readonly userId: string; readonly by?: string };

/**
 * What the list of admins answers to a command. Refuses with `not_permitted` what would leave no owner who may come in, and
 * whoever may not act as one any more; with `account_not_found` another duty of somebody who is no admin.
 */
export function decide(command: AdminsCommand, state: Admins): readonly AdminsEvent[] {
  const { userId } = command;
  const admin = state.get(userId);
  const data = { userId };
  if ('by' in command) refuseOthers(command.by, state);
  switch (command.type) {
    case 'ExpectAdmin':
      return admin === undefined ? [{ type: 'AdminExpected', data: { userId, duty: command.duty } }] : [];
    case 'AdmitAdmin': {
      if (isListed(admin)) return [];
      const admitted: AdminsEvent = { type: 'AdminAdmitted', data };
      return command.isSuspended ? [admitted, { type: 'AdminSuspended', data }] : [admitted];
    }
    case 'SuspendAdmin':
      if (admin?.standing !== 'active') return [];
      refuseLast(admin, state);
      return [{ type: 'AdminSuspended', data }];
    case 'ActivateAdmin':
      return admin?.standing === 'suspended' ? [{ type: 'AdminActivated', data }] : [];
    case 'ChangeDuty': {
      const { duty } = command;
      if (!isListed(admin) || admin.standing === 'removed')
        throw new LodeError('account_not_found', 'There is no such admin.');
      if (admin.duty === duty) return [];
      refuseLast(admin, state);
      return [{ type: 'AdminDutyChanged', data: { userId, duty } }];
    }
    case 'RemoveAdmin':
      if (!isListed(admin) || admin.standing === 'removed') return [];
      if (command.by !== undefined && admin.standing === 'active') throw accountActive();
      refuseLast(admin, state);
      return [{ type: 'AdminRemoved', data }];
    default:
      return unreachable(command);
  }
}

/**
 * Who is an admin, and as what, is for owners to decide. One who was kept out a moment ago, or lost the duty, by a command that
 * came first, decides nothing any more.
 */
function refuseOthers(by: string | undefined, state: Admins): void {
  if (by === undefined) return;
  const decider = state.get(by);
  if (decider?.standing !== 'active')
    throw new LodeError('not_permitted', 'You may not act as an admin any more.');
  if (decider.duty !== 'owner') throw new LodeError('not_permitted', 'Only an owner decides about admins.');
}

/** Refuses to lose the last owner who may come in: with one there is always an admin. */
function refuseLast(admin: Admin, state: Admins): void {
  if (!isOwner(admin)) return;
  if ([...state.values()].filter(isOwner).length <= 1)
    throw new LodeError(
      'not_permitted',
      'This is the only owner who may come in. Please make another admin an owner first.',
    );
}

/** Whether somebody is or was an admin; who is only expected to become one isn't yet. */
export function isListed(admin: Admin | undefined): admin is Admin {
  return admin !== undefined && admin.standing !== 'expected';
}

/** Whether somebody is an owner who may come in. */
export function isOwner({ standing, duty }: Admin): boolean {
  return standing === 'active' && duty === 'owner';
}
