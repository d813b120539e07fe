import type { Duty } from '../admins/index.js';

/** The facts of one invitation's stream, `invitation-{id}`. The names are storage. */
export type InvitationEvent =
  | {
      readonly type: 'InvitationIssued';
      /** Version 1 had no duty: whoever accepts one is an owner. */
      readonly data: {
        readonly invitationId: string;
        readonly role: 'admin';
        readonly duty: Duty;
        readonly expiresAt: string;
      };
    }
  | {
      readonly type: 'InvitationAccepted';
      readonly data: { readonly invitationId: string; readonly userId: string };
    }
  | { readonly type: 'InvitationRevoked'; readonly data: { readonly invitationId: string } };
