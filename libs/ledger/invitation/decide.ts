import { LodeError, unreachable } from '#kernel';
import type { InvitationEvent } from './events.js';
import type { Invitation } from './state.js';

export type InvitationCommand =
  | { readonly type: 'IssueInvitation'; readonly invitationId: string; readonly expiresAt: string }
  | { readonly type: 'AcceptInvitation'; readonly userId: string };

/** What an invitation answers to a command; `now` is an ISO instant. Refuses with `invitation_invalid`. */
export function decide(
  command: InvitationCommand,
  state: Invitation,
  now: string,
): readonly InvitationEvent[] {
  switch (command.type) {
    case 'IssueInvitation': {
      const { invitationId, expiresAt } = command;
      if (state.kind === 'none')
        return [{ type: 'InvitationIssued', data: { invitationId, role: 'admin', expiresAt } }];
      if (state.kind === 'issued' && state.expiresAt === expiresAt) return [];
      throw refusal();
    }
    case 'AcceptInvitation': {
      if (state.kind === 'accepted' && state.userId === command.userId) return [];
      if (state.kind !== 'issued' || state.expiresAt <= now) throw refusal();
      return [
        { type: 'InvitationAccepted', data: { invitationId: state.invitationId, userId: command.userId } },
      ];
    }
    default:
      return unreachable(command);
  }
}

function refusal(): LodeError {
  return new LodeError('invitation_invalid', 'This invitation was used, has expired or never existed.');
}
