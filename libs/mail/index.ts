export type { MailOutcome, MailTransport, OutgoingMail } from './port.js';
export { oneLine, renderMail, type MailWords, type RenderedMail } from './render.js';
