import { invariant, unreachable } from '#kernel';
import type { Duty } from '../admins/index.js';
import type { InvitationEvent } from './events.js';

export type Invitation =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'issued';
      readonly invitationId: string;
      readonly duty: Duty;
      readonly expiresAt: string;
    }
  | {
      readonly kind: 'accepted';
      readonly invitationId: string;
      readonly duty: Duty;
      readonly userId: string;
    }
  | { readonly kind: 'revoked'; readonly invitationId: string };

/** An invitation nobody issued. */
export const noInvitation: Invitation = { kind: 'none' };

/** Folds one event into the invitation. */
export function evolve(state: Invitation, event: InvitationEvent): Invitation {
  switch (event.type) {
    case 'InvitationIssued': {
      invariant(state.kind === 'none', 'an invitation is issued once');
      const { invitationId, duty, expiresAt } = event.data;
      return { kind: 'issued', invitationId, duty, expiresAt };
    }
    case 'InvitationAccepted':
      invariant(state.kind === 'issued', 'an invitation is accepted once, after it was issued');
      return {
        kind: 'accepted',
        invitationId: state.invitationId,
        duty: state.duty,
        userId: event.data.userId,
      };
    case 'InvitationRevoked':
      invariant(
        state.kind === 'issued' || state.kind === 'accepted',
        'an invitation is revoked once, after it was issued',
      );
      return { kind: 'revoked', invitationId: state.invitationId };
    default:
      return unreachable(event);
  }
}
