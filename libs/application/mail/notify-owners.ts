import type { CommandContext } from '#commands';
import type { EventStore } from '#event-store';
import { MAIL_GIVE_UP_MS, type Identity } from '#identity';
import { sha256, type Clock } from '#kernel';
import { isListed, isOwner, type Admin, type Admins } from '#ledger';
import type { OwnersFollowUp } from '#reactors';
import { ownersBetween } from '../admins/owners.js';
import type { AdminRights } from '../admins/rights.js';
import { sentBy } from '../command.js';
import { utcMinute } from '../utc-minute.js';
import type { Mailing } from './mailing.js';

/** For how long whoever is no owner any more is told, in milliseconds: it may be that they were made none so that they don't hear. */
const TOLD_AFTER_MS = 24 * 60 * 60_000;

/** How long one mail tells of what somebody may do very often, in milliseconds. */
const TOGETHER_MS = 15 * 60_000;

/**
 * Writes to every owner of then, or of the day before, about what was changed of what holds for all, and to the admin whom it is about. May be
 * repeated: a mail is queued once for an event and an owner, or once in a while for what somebody may do very often.
 */
export class NotifyOwners extends sentBy('system')<void> {
  constructor(
    override readonly context: CommandContext,
    readonly follow: OwnersFollowUp,
  ) {
    super();
  }
}

type Parts = {
  readonly admins: Pick<AdminRights, 'all'>;
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly identity: Pick<Identity, 'credentials'>;
  readonly mailing: Pick<Mailing, 'sendNotice'>;
  readonly clock: Clock;
};

export class NotifyOwnersHandler {
  constructor(private readonly parts: Parts) {}

  async execute({ context, follow }: NotifyOwners): Promise<void> {
    const { admins, eventStore, mailing, clock } = this.parts;
    const { what, waits = false, isOften = false, by, of, at, reason } = follow;
    // Of a log from before owners were told, or of a time when no mails were sent: nobody wants to hear of that now.
    const doneAt = Date.parse(at);
    if (clock() - doneAt >= MAIL_GIVE_UP_MS) return;
    const all = await admins.all();
    const facts = [
      `${waits ? 'Asked for' : 'Changed'}: ${what}`,
      ...(of === undefined ? [] : [`Of: ${await this.nameOf(of, all)}`]),
      `By: ${by === undefined ? 'the operator' : await this.nameOf(by, all)}`,
    ];
    const since = Math.floor(doneAt / TOGETHER_MS) * TOGETHER_MS;
    if (isOften)
      facts.push(`Told by this mail, too: more of it by the same before ${utcMinute(since + TOGETHER_MS)}`);
    const cause = isOften ? `${waits ? 'asked/' : ''}${what}/${by ?? ''}/${since}` : context.commandId;
    const told = new Set(await ownersBetween(eventStore, { from: doneAt - TOLD_AFTER_MS, to: doneAt }));
    if (of !== undefined) told.add(of);
    for (const userId of told) {
      const admin = all.get(userId);
      if (!isKept(admin)) continue;
      const email = await this.emailOf(userId);
      if (email === undefined) continue;
      const mailId = sha256(`${cause}/${userId}`).slice(0, 32);
      // Why somebody is kept out is for owners to know.
      const why = reason !== undefined && isOwner(admin) ? [`Reason: ${reason}`] : [];
      await mailing.sendNotice(waits ? 'change-asked' : 'platform-changed', {
        mailId,
        userId,
        email,
        at: doneAt,
        facts: [...facts, ...why],
      });
    }
  }

  /** What owners know somebody by: the e-mail of an admin, and of anybody else, or who is forgotten, the id alone. */
  private async nameOf(userId: string, all: Admins): Promise<string> {
    return (isKept(all.get(userId)) ? await this.emailOf(userId) : undefined) ?? userId;
  }

  private async emailOf(userId: string): Promise<string | undefined> {
    return (await this.parts.identity.credentials.known(userId))?.email;
  }
}

/** Whether somebody is an admin, suspended or not. */
function isKept(admin: Admin | undefined): admin is Admin {
  return isListed(admin) && admin.standing !== 'removed';
}
