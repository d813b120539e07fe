export { EmailAddress } from './email-address';
