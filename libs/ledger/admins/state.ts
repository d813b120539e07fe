import { unreachable } from '#kernel';
import type { AdminsEvent } from './events.js';

/** How somebody stands who is or was an admin. */
export type AdminStanding = 'active' | 'suspended' | 'removed';

/** Everybody who ever was an admin, by their id. They are few: each was invited. */
export type Admins = ReadonlyMap<string, AdminStanding>;

/** A platform without admins, or one from before they were listed. */
export const noAdmins: Admins = new Map();

/** Folds one event into the list. */
export function evolve(state: Admins, { type, data: { userId } }: AdminsEvent): Admins {
  return new Map(state).set(userId, standingAfter(type));
}

function standingAfter(type: AdminsEvent['type']): AdminStanding {
  switch (type) {
    case 'AdminAdmitted':
    case 'AdminActivated':
      return 'active';
    case 'AdminSuspended':
      return 'suspended';
    case 'AdminRemoved':
      return 'removed';
    default:
      return unreachable(type);
  }
}
