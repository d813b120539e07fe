import type { Decider } from '#kernel';
import { adminsCodecs } from './codecs.js';
import { decide, isListed, isOwner, type AdminsCommand } from './decide.js';
import type { AdminsEvent } from './events.js';
import { evolve, noAdmins, type Admins } from './state.js';

/** Who may act as an admin: one list, so that what keeps out the last of them is seen where it is decided. */
export const adminsDecider: Decider<AdminsCommand, AdminsEvent, Admins> = {
  initial: noAdmins,
  decide,
  evolve,
  codecs: adminsCodecs,
};

/** The stream of the admins, of which there is one. */
export const adminsStream = 'admins';

export { isListed, isOwner };
export type { AdminsCommand } from './decide.js';
export type { AdminsEvent, Duty } from './events.js';
export type { Admin, Admins, AdminStanding } from './state.js';
