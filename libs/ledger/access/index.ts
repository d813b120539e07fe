import type { Decider } from '#kernel';
import { decide, type AccessCommand } from './decide.js';
import { accessCodecs } from './codecs.js';
import type { AccessEvent } from './events.js';
import { evolve, noAccess, type Access } from './state.js';

/** The audit trail of one person's sign-ins, refusals, sessions, password and transfer pin. */
export const accessDecider: Decider<AccessCommand, AccessEvent, Access> = {
  initial: noAccess,
  decide,
  evolve,
  codecs: accessCodecs,
};

/** The stream of a person's sign-ins and sessions. */
export function accessStream(userId: string): string {
  return `access-${userId}`;
}

export { FORMER_EMAIL_TOLD_MS, REFUSALS_PER_HOUR_MAX, WRONG_PINS_MAX, type AccessCommand } from './decide.js';
export type {
  AccessEvent,
  EmailChangeFailure,
  EndReason,
  RefusalReason,
  SecondFactorChange,
} from './events.js';
export { EMAIL_CHANGES_REMEMBERED, SESSIONS_REMEMBERED, type Access } from './state.js';
