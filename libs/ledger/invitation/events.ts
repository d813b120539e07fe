/** The facts of one invitation's stream, `invitation-{id}`. The names are storage. */
export type InvitationEvent =
  | {
      readonly type: 'InvitationIssued';
      readonly data: { readonly invitationId: string; readonly role: 'admin'; readonly expiresAt: string };
    }
  | {
      readonly type: 'InvitationAccepted';
      readonly data: { readonly invitationId: string; readonly userId: string };
    };
