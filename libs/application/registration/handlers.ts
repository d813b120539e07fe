import {
  ListInvitations,
  ListInvitationsHandler,
  RevokeInvitation,
  RevokeInvitationHandler,
} from './invitations.js';
import type { Ports } from '../ports.js';
import {
  InviteAdmin,
  InviteAdminHandler,
  InviteFirstAdmin,
  InviteFirstAdminHandler,
  type InvitationDependencies,
} from './invite.js';
import { Register, RegisterHandler, type RegisterDependencies } from './register.js';
import { handledBy } from '../message.js';

/** The handlers of the invitations that make admins. */
export function invitationHandlers(dependencies: InvitationDependencies) {
  return [
    handledBy(InviteAdmin, new InviteAdminHandler(dependencies)),
    handledBy(InviteFirstAdmin, new InviteFirstAdminHandler(dependencies)),
  ];
}

/** The handlers of registrations and of the invitations that make admins. */
export function registrationHandlers(
  dependencies: InvitationDependencies & RegisterDependencies & Pick<Ports, 'readStore'>,
) {
  return [
    ...invitationHandlers(dependencies),
    handledBy(ListInvitations, new ListInvitationsHandler(dependencies)),
    handledBy(Register, new RegisterHandler(dependencies)),
    handledBy(RevokeInvitation, new RevokeInvitationHandler(dependencies)),
  ];
}
