export { Invitations } from './invitations';
export { InviteAdmin } from './invite-admin';
