import { InviteAdminHandler, InviteFirstAdminHandler, type InvitationDependencies } from './invite.js';
import { RegisterHandler, type RegisterDependencies } from './register.js';

/** The handlers of the invitations that make admins. */
export function invitationHandlers(dependencies: InvitationDependencies) {
  return [new InviteAdminHandler(dependencies), new InviteFirstAdminHandler(dependencies)];
}

/** The handlers of registrations and of the invitations that make admins. */
export function registrationHandlers(dependencies: InvitationDependencies & RegisterDependencies) {
  return [...invitationHandlers(dependencies), new RegisterHandler(dependencies)];
}
