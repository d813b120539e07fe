export { MailList } from './mail-list';
