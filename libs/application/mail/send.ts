import type { Actor } from '#kernel';
import { sentBy } from '../command.js';
import type { Mailing, MailsSent } from './mailing.js';

/** Sends the mails that are due, and gives up those that are over. */
export class SendMails extends sentBy('system')<MailsSent> {
  constructor(override readonly context: { readonly actor: Actor }) {
    super();
  }
}

export class SendMailsHandler {
  constructor(private readonly parts: { readonly mailing: Pick<Mailing, 'sendDue'> }) {}

  execute(): Promise<MailsSent> {
    return this.parts.mailing.sendDue();
  }
}
