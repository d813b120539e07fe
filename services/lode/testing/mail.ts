import type { SmtpDouble } from '#mail/testing';

/** Who the programs of tests send their mails as. */
export const MAIL_FROM = 'no-reply@lode.example.org';

/** Settings of a program that sends its mails through `smtp`, with links to a site of its own name. */
export const mailThrough = (smtp: SmtpDouble) => ({
  smtpUrl: smtp.url,
  publicUrl: 'https://lode.example.org',
  mailFrom: MAIL_FROM,
});
