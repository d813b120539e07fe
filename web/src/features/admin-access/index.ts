export { AdminAccess } from './admin-access';
