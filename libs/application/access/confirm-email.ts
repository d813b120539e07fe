import type { CommandContext } from '#commands';
import { FORGOTTEN, foldEmail, linkInvalid, type Client } from '#identity';
import { hasCode } from '#kernel';
import type { AccessFollowUp } from '#reactors';
import { sentBy, type Receipt } from '../command.js';
import { refuseWhileHeld } from '../platform/held.js';
import { sealedClient } from './audit.js';
import { onceByLink, type DoneByLink } from './by-link.js';
import type { VisitorContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { changeIn, contextOfChange, emailTaken, finishEmailChange, isGood } from './email-change.js';
import { delayMoneyOut, type MoneyOutDependencies } from './money-out.js';

/**
 * Gives somebody the e-mail address that a link was sent to, which is then used up: all sessions end but the one that asked, links
 * of before are void, and money out waits. Refuses with `link_invalid`, and with `email_exists` when somebody else has the address.
 */
export class ConfirmEmailChange extends sentBy('visitor')<Receipt> {
  constructor(
    override readonly context: VisitorContext,
    readonly token: string,
    /** The key that a repeat of the request has, too. */
    readonly key?: string,
  ) {
    super();
  }
}

export class ConfirmEmailChangeHandler {
  constructor(private readonly dependencies: AccessDependencies & MoneyOutDependencies) {}

  async execute({ context: { client }, token, key }: ConfirmEmailChange): Promise<Receipt> {
    const { identity, hold } = this.dependencies;
    refuseWhileHeld(hold);
    return onceByLink(identity, 'confirm email', { token, key }, () => this.confirm(token, client));
  }

  private async confirm(token: string, client: Client): Promise<DoneByLink> {
    const { identity, accessAudit } = this.dependencies;
    const link = await identity.links.read('change-email', token);
    const change = changeIn(link);
    const { userId, changeId, from, to, session, epoch } = change;
    const known = await identity.credentials.known(userId);
    // Of a request that was cut off, the address may be the new one by now.
    const isDone = known?.email === foldEmail(to);
    if (!isDone) {
      if (!isGood(link, known)) throw linkInvalid();
      // What is refused makes no money wait.
      if ((await identity.credentials.knownByEmail(to)) !== undefined) throw emailTaken();
      await delayMoneyOut(this.dependencies, userId, 'email_changed', changeId);
      await accessAudit.record(
        userId,
        {
          type: 'RecordEmailChangeConfirmed',
          changeId,
          emails: await identity.personKeys.encryptFor(userId, { from, to }),
          epoch,
          session,
          ...(await sealedClient(identity, userId, client)),
        },
        contextOfChange({ changeId, userId, role: known.role }, 'confirmed'),
      );
    }
    return { userId, position: await finishEmailChange(this.dependencies, change) };
  }
}

/** Finishes a change of an e-mail address that was confirmed, where the program was cut off before it was made. */
export class FinishEmailChange extends sentBy('system')<void> {
  constructor(
    override readonly context: CommandContext,
    readonly follow: Extract<AccessFollowUp, { readonly type: 'FinishEmailChange' }>,
  ) {
    super();
  }
}

export class FinishEmailChangeHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ follow: { userId, emails, ...rest } }: FinishEmailChange): Promise<void> {
    const opened = await this.dependencies.identity.personKeys.decryptFor(userId, emails);
    if (opened === FORGOTTEN) return;
    try {
      const link = { userId, epoch: rest.epoch, about: { ...opened, ...rest } };
      await finishEmailChange(this.dependencies, changeIn(link));
    } catch (error) {
      // What came to nothing is in the log as that.
      if (!hasCode(error, 'email_exists') && !hasCode(error, 'link_invalid')) throw error;
    }
  }
}
