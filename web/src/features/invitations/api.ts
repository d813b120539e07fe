import { adminRoutes, api, mutation, query, row } from '../../api';

/** The invitations, which no account is called. */
const all = row('accounts', 'invitations');

const invitations = api.injectEndpoints({
  endpoints: (build) => ({
    invitations: query(build, adminRoutes.invitations, { shows: () => [all] }),
    inviteAdmin: mutation(build, adminRoutes.inviteAdmin, { changes: () => [all] }),
    revokeInvitation: mutation(build, adminRoutes.revokeInvitation, { changes: () => [all] }),
  }),
});

export const { useInvitationsQuery, useInviteAdminMutation, useRevokeInvitationMutation } = invitations;
