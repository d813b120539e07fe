import type { MailTransport } from '#mail';
import { openSmtp } from '#mail/smtp';
import type { Closing } from './closing.js';
import type { EngineSettings } from './engines.js';

/** Who mails come from where nothing is set. */
const SENDER = 'no-reply@localhost';

/** Where mails are handed over; undefined where that is nowhere. */
export function openMail(
  { smtpUrl, mailFrom = SENDER }: Pick<EngineSettings, 'smtpUrl' | 'mailFrom'>,
  closing: Closing,
): MailTransport | undefined {
  if (smtpUrl === undefined) return undefined;
  const transport = openSmtp({ url: smtpUrl, sender: mailFrom });
  closing.add(transport.close, 'the connection to the mail server');
  return transport;
}
