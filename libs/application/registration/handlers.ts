import { InviteAdminHandler, InviteFirstAdminHandler, type InvitationDependencies } from './invite.js';
import { RegisterHandler } from './register.js';

/** The handlers of registrations and of the invitations that make admins. */
export function registrationHandlers(dependencies: InvitationDependencies) {
  return [
    new InviteAdminHandler(dependencies),
    new InviteFirstAdminHandler(dependencies),
    new RegisterHandler(dependencies),
  ];
}
