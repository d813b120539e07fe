import type { MailTransport } from '#mail';
import type { Closing } from './closing.js';
import type { EngineSettings } from './engines.js';

/** Who mails come from where nothing is set. */
const SENDER = 'no-reply@localhost';

/** Where mails are handed over; undefined where that is nowhere. */
export async function openMail(
  { smtpUrl, mailFrom = SENDER }: Pick<EngineSettings, 'smtpUrl' | 'mailFrom'>,
  closing: Closing,
): Promise<MailTransport | undefined> {
  if (smtpUrl === undefined) return undefined;
  const { openSmtp } = await import('#mail/smtp');
  const transport = openSmtp({ url: smtpUrl, sender: mailFrom });
  closing.add(transport.close, 'the connection to the mail server');
  return transport;
}
