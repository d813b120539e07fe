import type { CommandContext } from '#commands';
import { MAIL_GIVE_UP_MS, type Identity } from '#identity';
import type { MailFollowUp } from '#reactors';
import { sentBy } from '../command.js';
import { utcMinute } from '../utc-minute.js';
import { tellPerson, type TellingDependencies } from './tell.js';

/** Writes to a person about what was done to their account. May be repeated: a mail is queued once for an event. */
export class NotifyPerson extends sentBy('system')<void> {
  constructor(
    override readonly context: CommandContext,
    readonly follow: MailFollowUp,
  ) {
    super();
  }
}

type Parts = TellingDependencies & { readonly identity: Pick<Identity, 'credentials'> };

export class NotifyPersonHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, follow }: NotifyPerson): Promise<void> {
    const { identity, clock } = this.parts;
    const { userId, notice, at, requestId, change, currency, from } = follow;
    // Of a log from before mails were sent, or of a time when none were: nobody wants to hear of that now.
    const doneAt = Date.parse(at);
    if (clock() - doneAt >= MAIL_GIVE_UP_MS) return;
    const known = await identity.credentials.known(userId);
    if (known === undefined) return;
    const facts = [
      ...(requestId === undefined ? [] : [`Request: ${requestId}`]),
      ...(change === undefined ? [] : [`Change: ${change}`]),
      ...(currency === undefined ? [] : [`Currency: ${currency}`]),
      ...(from === undefined
        ? []
        : [`In force from: ${utcMinute(from)}. Until then you can cancel it in Settings.`]),
    ];
    const mailId = context.commandId.replaceAll('-', '');
    await tellPerson(this.parts, notice, { mailId, userId, email: known.email, at: doneAt, facts });
  }
}
