import { foldEmail, type BucketsOf, type Identity, type Known } from '#identity';
import { accountNotFound, LodeError, uuidV4, type Clock, type Random } from '#kernel';
import { sentBy } from '../command.js';
import { InvalidInput } from '../invalid-input.js';
import type { Mailing } from '../mail/mailing.js';
import { formerEmails } from '../mail/tell.js';
import { refuseWhileHeld } from '../platform/held.js';
import { sealedClient } from './audit.js';
import type { CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { changeIn, contextOfChange, isGood } from './email-change.js';
import { requireProof, type Proof } from './step-up.js';
import { LINKS_PER_PERSON, tooManyLinks } from './link-limits.js';
import { Query } from '../message.js';

/** Changes that are made while the addresses before them are told of them still: a thief can't push the owner's off the list. */
export const EMAIL_CHANGES_MAX = 3;

/** Dependencies of what gives somebody another e-mail address. */
export type EmailChangeDependencies = AccessDependencies & {
  readonly identity: { readonly bucketsOf: BucketsOf };
  readonly mailing: Pick<Mailing, 'sendLink'>;
  readonly clock: Clock;
  readonly random: Random;
};

/** A change of the e-mail address that waits for its link. */
export type PendingEmail = { readonly email: string; readonly expiresAt: number };

/** The e-mail address that is to take the place of a person's, if a link to it waits. */
export class GetEmailChange extends Query<PendingEmail | undefined> {
  constructor(readonly userId: string) {
    super();
  }
}

export class GetEmailChangeHandler {
  constructor(private readonly identity: Pick<Identity, 'credentials' | 'links'>) {}

  execute({ userId }: GetEmailChange): Promise<PendingEmail | undefined> {
    return pendingOf(this.identity, userId);
  }
}

/**
 * Sends a link to the e-mail address that is to take the place of the caller's, which nothing is changed by before it is
 * used; answers until when it is good (milliseconds since the epoch). An earlier one is void. The answer, and what is kept, is the same for an address that
 * somebody has. Refuses as `requireProof`, with `validation_failed` the address that the caller has, and with
 * `rate_limited`.
 */
export class RequestEmailChange extends sentBy('user', 'admin')<{
  readonly expiresAt: number;
  readonly replayed: boolean;
}> {
  constructor(
    override readonly context: CallerContext,
    readonly email: string,
    readonly proof: Proof | undefined,
    /** The key that a repeat of the request has, too. */
    readonly key?: string,
  ) {
    super();
  }
}

export class RequestEmailChangeHandler {
  private readonly people;

  constructor(private readonly dependencies: EmailChangeDependencies) {
    this.people = dependencies.identity.bucketsOf('links to change the e-mail', LINKS_PER_PERSON);
  }

  async execute({ context, email, proof, key }: RequestEmailChange) {
    const { identity, hold, random } = this.dependencies;
    refuseWhileHeld(hold);
    if (key === undefined) {
      const expiresAt = await this.ask(context, email, proof, uuidV4(random));
      return { expiresAt, replayed: false };
    }
    const userId = context.actor.id;
    // The proof is no part of the request: a repeat is answered without it.
    const { answer, replayed } = await identity.requests.once(
      { name: ['change email', userId, key], content: { email } },
      async ({ draw }) => {
        const expiresAt = await this.ask(context, email, proof, uuidV4(draw('change')));
        return { answer: { expiresAt: String(expiresAt) }, about: userId };
      },
    );
    return { expiresAt: Number(answer('expiresAt')), replayed };
  }

  private async ask(
    caller: CallerContext,
    to: string,
    proof: Proof | undefined,
    changeId: string,
  ): Promise<number> {
    const { identity, mailing } = this.dependencies;
    const { id: userId } = caller.actor;
    const known = await identity.credentials.known(userId);
    if (known === undefined) throw accountNotFound();
    const { email: from, epoch } = known;
    if (foldEmail(to) === from)
      throw new InvalidInput([{ path: 'email', message: 'This is your e-mail address already.' }]);
    await this.refuseOften(userId);
    // Last: a code works once.
    await requireProof(this.dependencies, caller, 'security', proof).catch(async (error: unknown) => {
      await this.people.giveBack(userId);
      throw error;
    });
    await this.note(caller, known, { changeId, from, to });
    await identity.links.revoke('change-email', userId);
    const isTaken = (await identity.credentials.knownByEmail(to)) !== undefined;
    const about = { changeId, from, to, session: caller.session };
    const sent = await mailing.sendLink('change-email', { userId, epoch, email: to }, { about, isTaken });
    if (sent.kind === 'too many') throw tooManyLinks(sent.waitMs);
    return sent.expiresAt;
  }

  /** The log first: whoever has the address of before is told, also when nothing comes after it. */
  private async note(
    { client, session }: CallerContext,
    { userId, role }: Known,
    { changeId, from, to }: { readonly changeId: string; readonly from: string; readonly to: string },
  ): Promise<void> {
    const { identity, accessAudit } = this.dependencies;
    await accessAudit.record(
      userId,
      {
        type: 'RecordEmailChangeAsked',
        changeId,
        emails: await identity.personKeys.encryptFor(userId, { from, to }),
        ...(await sealedClient(identity, userId, client)),
      },
      { ...contextOfChange({ changeId, userId, role }, 'asked'), session },
    );
  }

  /** Refuses whoever has changed it often, and who asks too often, of which this is counted as one more. */
  private async refuseOften(userId: string): Promise<void> {
    const { clock } = this.dependencies;
    const former = await formerEmails(this.dependencies, userId);
    if (former.length >= EMAIL_CHANGES_MAX) {
      const untilMs = Math.min(...former.map(({ toldUntil }) => toldUntil)) - clock();
      throw new LodeError('rate_limited', 'Your e-mail address was changed often. Please wait some days.', {
        retryAfterSeconds: Math.ceil(untilMs / 1_000),
      });
    }
    const waitMs = await this.people.take(userId);
    if (waitMs > 0) throw tooManyLinks(waitMs);
  }
}

/** Makes the caller's link to another e-mail address void, if one waits. Needs no proof: the address stays what it is. */
export class CancelEmailChange extends sentBy('user', 'admin')<void> {
  constructor(override readonly context: CallerContext) {
    super();
  }
}

export class CancelEmailChangeHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context }: CancelEmailChange): Promise<void> {
    const { identity, accessAudit, hold } = this.dependencies;
    refuseWhileHeld(hold);
    const userId = context.actor.id;
    const pending = await pendingOf(identity, userId);
    await identity.links.revoke('change-email', userId);
    if (pending === undefined) return;
    await accessAudit.note(userId, { type: 'RecordEmailChangeFailure', why: 'canceled' }, context);
  }
}

/** The last link of a person's that is good still. */
async function pendingOf(
  { credentials, links }: Pick<Identity, 'credentials' | 'links'>,
  userId: string,
): Promise<PendingEmail | undefined> {
  const [link] = await links.issued('change-email', userId);
  if (link === undefined) return undefined;
  const known = await credentials.known(userId);
  return isGood(link, known) ? { email: changeIn(link).to, expiresAt: link.expiresAt } : undefined;
}
