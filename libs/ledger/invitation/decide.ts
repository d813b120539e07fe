import { LodeError, unreachable } from '#kernel';
import type { Duty } from '../admins/index.js';
import type { InvitationEvent } from './events.js';
import type { Invitation } from './state.js';

export type InvitationCommand =
  | {
      readonly type: 'IssueInvitation';
      readonly invitationId: string;
      readonly duty: Duty;
      readonly expiresAt: string;
    }
  | { readonly type: 'AcceptInvitation'; readonly userId: string }
  /** `unfinishedBy` is somebody who accepted it and has no account: their registration was cut off. */
  | { readonly type: 'RevokeInvitation'; readonly unfinishedBy?: string };

/** What an invitation answers to a command; `now` is an ISO instant. Refuses with `invitation_invalid`, and to revoke with `invitation_not_found` and `invitation_used`. */
export function decide(
  command: InvitationCommand,
  state: Invitation,
  now: string,
): readonly InvitationEvent[] {
  switch (command.type) {
    case 'IssueInvitation': {
      const { invitationId, duty, expiresAt } = command;
      if (state.kind === 'none')
        return [{ type: 'InvitationIssued', data: { invitationId, role: 'admin', duty, expiresAt } }];
      if (state.kind === 'issued' && state.expiresAt === expiresAt && state.duty === duty) return [];
      throw refusal();
    }
    case 'AcceptInvitation': {
      if (state.kind === 'accepted' && state.userId === command.userId) return [];
      if (state.kind !== 'issued' || state.expiresAt <= now) throw refusal();
      return [
        { type: 'InvitationAccepted', data: { invitationId: state.invitationId, userId: command.userId } },
      ];
    }
    case 'RevokeInvitation':
      return revoke(command, state);
    default:
      return unreachable(command);
  }
}

/** One that has ended by itself is revoked as well: nothing is wrong with being sure. */
function revoke(
  { unfinishedBy }: Extract<InvitationCommand, { readonly type: 'RevokeInvitation' }>,
  state: Invitation,
): readonly InvitationEvent[] {
  switch (state.kind) {
    case 'none':
      throw new LodeError('invitation_not_found', 'There is no such invitation.');
    case 'accepted':
      if (state.userId === unfinishedBy)
        return [{ type: 'InvitationRevoked', data: { invitationId: state.invitationId } }];
      throw new LodeError('invitation_used', 'This invitation was used already.');
    case 'revoked':
      return [];
    case 'issued':
      return [{ type: 'InvitationRevoked', data: { invitationId: state.invitationId } }];
    default:
      return unreachable(state);
  }
}

function refusal(): LodeError {
  return new LodeError(
    'invitation_invalid',
    'This invitation was used or revoked, has expired or never existed.',
  );
}
