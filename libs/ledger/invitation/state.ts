import { invariant, unreachable } from '#kernel';
import type { InvitationEvent } from './events.js';

export type Invitation =
  | { readonly kind: 'none' }
  | { readonly kind: 'issued'; readonly invitationId: string; readonly expiresAt: string }
  | { readonly kind: 'accepted'; readonly invitationId: string; readonly userId: string };

/** An invitation nobody issued. */
export const noInvitation: Invitation = { kind: 'none' };

/** Folds one event into the invitation. */
export function evolve(state: Invitation, event: InvitationEvent): Invitation {
  switch (event.type) {
    case 'InvitationIssued':
      invariant(state.kind === 'none', 'an invitation is issued once');
      return { kind: 'issued', invitationId: event.data.invitationId, expiresAt: event.data.expiresAt };
    case 'InvitationAccepted':
      invariant(state.kind === 'issued', 'an invitation is accepted once, after it was issued');
      return { kind: 'accepted', invitationId: state.invitationId, userId: event.data.userId };
    default:
      return unreachable(event);
  }
}
