import type { Decider } from '#kernel';
import { decide, type InvitationCommand } from './decide.js';
import { invitationCodecs } from './codecs.js';
import type { InvitationEvent } from './events.js';
import { evolve, noInvitation, type Invitation } from './state.js';

/** The right to become an admin, given once to whoever holds its link. */
export const invitationDecider: Decider<InvitationCommand, InvitationEvent, Invitation> = {
  initial: noInvitation,
  decide,
  evolve,
  codecs: invitationCodecs,
};

/** The stream of an invitation. */
export function invitationStream(invitationId: string): string {
  return `invitation-${invitationId}`;
}

export type { InvitationCommand } from './decide.js';
export type { InvitationEvent } from './events.js';
export type { Invitation } from './state.js';
