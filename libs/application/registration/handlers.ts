import { ListInvitationsHandler, RevokeInvitationHandler } from './invitations.js';
import type { Ports } from '../ports.js';
import { InviteAdminHandler, InviteFirstAdminHandler, type InvitationDependencies } from './invite.js';
import { RegisterHandler, type RegisterDependencies } from './register.js';

/** The handlers of the invitations that make admins. */
export function invitationHandlers(dependencies: InvitationDependencies) {
  return [new InviteAdminHandler(dependencies), new InviteFirstAdminHandler(dependencies)];
}

/** The handlers of registrations and of the invitations that make admins. */
export function registrationHandlers(
  dependencies: InvitationDependencies & RegisterDependencies & Pick<Ports, 'readStore'>,
) {
  return [
    ...invitationHandlers(dependencies),
    new ListInvitationsHandler(dependencies),
    new RegisterHandler(dependencies),
    new RevokeInvitationHandler(dependencies),
  ];
}
