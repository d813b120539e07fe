import { unreachable } from '#kernel';
import type { AdminsEvent, Duty } from './events.js';

/** How somebody stands who is or was an admin. */
export type AdminStanding = 'expected' | 'active' | 'suspended' | 'removed';

/** Somebody who is or was an admin, or registers as one. */
export type Admin = { readonly standing: AdminStanding; readonly duty: Duty };

/** Everybody who ever was an admin or registers as one, by their id. They are few: each was invited. */
export type Admins = ReadonlyMap<string, Admin>;

/** A platform without admins, or one from before they were listed. */
export const noAdmins: Admins = new Map();

/** Folds one event into the list. */
export function evolve(state: Admins, event: AdminsEvent): Admins {
  const { userId } = event.data;
  const before = state.get(userId) ?? { standing: 'active', duty: 'owner' };
  return new Map(state).set(userId, after(before, event));
}

function after(before: Admin, event: AdminsEvent): Admin {
  switch (event.type) {
    case 'AdminExpected':
      return { standing: 'expected', duty: event.data.duty };
    case 'AdminAdmitted':
    case 'AdminActivated':
      return { ...before, standing: 'active' };
    case 'AdminSuspended':
      return { ...before, standing: 'suspended' };
    case 'AdminRemoved':
      return { ...before, standing: 'removed' };
    case 'AdminDutyChanged':
      return { ...before, duty: event.data.duty };
    default:
      return unreachable(event);
  }
}
