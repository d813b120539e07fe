export { AdminSessions } from './admin-sessions';
export { Admins } from './admins';
