import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '#commands';
import type { GatedAct } from '#contracts';
import { createBuckets, linkInvalid, type Identity } from '#identity';
import {
  accountNotFound,
  LodeError,
  logStart,
  parsePosition,
  sha256,
  uuidV5,
  type Clock,
  type Position,
} from '#kernel';
import { accountStream } from '#ledger';
import { sentBy, type Receipt } from '../command.js';
import type { Mailing } from '../mail/mailing.js';
import { refuseWhileHeld } from '../platform/held.js';
import { accountOf } from './admission.js';
import type { CallerContext, VisitorContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';

/** What whoever has not verified the e-mail address may not ask for. With nothing in it nobody is asked to verify it. */
export type Verification = { readonly mayNot: readonly GatedAct[] };

/** The namespace of the ids of commands that are derived from a link. */
const VERIFICATIONS = 'f0d1a4de-6f6c-5f55-9a3b-1b0c5a7d9e21';
/** Links that one person is sent at once, and how long until there may be one more: milliseconds. */
const PER_PERSON = { burst: 3, everyMs: 20 * 60_000 };
/** People who are remembered; the one that asked longest ago is forgotten first. */
const REMEMBERED_MAX = 100_000;

/** Dependencies of what shows that an e-mail address is somebody's. */
export type VerificationDependencies = AccessDependencies & {
  readonly mailing: Pick<Mailing, 'sendLink'>;
  readonly clock: Clock;
};

/** Sends somebody a link to verify the e-mail address that they have now. */
export async function sendVerification(
  {
    identity,
    mailing,
  }: { readonly identity: Pick<Identity, 'credentials'> } & Pick<VerificationDependencies, 'mailing'>,
  userId: string,
): Promise<void> {
  const known = await identity.credentials.known(userId);
  if (known === undefined) throw accountNotFound();
  const { email, epoch } = known;
  await mailing.sendLink('verify-email', { userId, email, epoch }, { email });
}

/**
 * Sends the caller the link again. Does nothing for whoever needs none; refuses with `rate_limited` whoever asks too often.
 */
export class RequestEmailVerification extends sentBy('user')<void> {
  constructor(override readonly context: CallerContext) {
    super();
  }
}

@CommandHandler(RequestEmailVerification)
export class RequestEmailVerificationHandler implements ICommandHandler<RequestEmailVerification> {
  private readonly people;

  constructor(private readonly dependencies: VerificationDependencies) {
    this.people = createBuckets(dependencies.clock, PER_PERSON, REMEMBERED_MAX);
  }

  async execute({ context: { actor } }: RequestEmailVerification): Promise<void> {
    const userId = actor.id;
    refuseWhileHeld(this.dependencies.hold);
    if ((await accountOf(this.dependencies, userId)).isEmailVerified) return;
    const waitMs = this.people.waitMs(userId);
    if (waitMs > 0)
      throw new LodeError('rate_limited', 'The link was sent several times. Please wait a little.', {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      });
    this.people.add(userId, -1);
    await sendVerification(this.dependencies, userId);
  }
}

/** Verifies an e-mail address by a link that was sent to it, which is then used up. Refuses with `link_invalid`. */
export class VerifyEmail extends sentBy('visitor')<Receipt> {
  constructor(
    override readonly context: VisitorContext,
    readonly token: string,
    /** The key that a repeat of the request has, too. */
    readonly key?: string,
  ) {
    super();
  }
}

@CommandHandler(VerifyEmail)
export class VerifyEmailHandler implements ICommandHandler<VerifyEmail> {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ token, key }: VerifyEmail): Promise<Receipt> {
    const { identity, hold } = this.dependencies;
    refuseWhileHeld(hold);
    if (key === undefined) {
      const { position } = await this.verify(token);
      await identity.links.spend(token);
      return { position, replayed: false };
    }
    const name = ['verify email', sha256(token), key];
    const { answer, replayed } = await identity.requests.once({ name, content: {} }, async () => {
      const { userId, position } = await this.verify(token);
      return { answer: { position }, about: userId };
    });
    await identity.links.spend(token);
    return { position: parsePosition(answer('position')) ?? logStart, replayed };
  }

  /** Gives whose the e-mail address is. The link of one that they have no more is good for nothing. */
  private async verify(token: string): Promise<{ readonly userId: string; readonly position: Position }> {
    const { identity, aggregates } = this.dependencies;
    const { userId, about } = await identity.links.read('verify-email', token);
    const known = await identity.credentials.known(userId);
    if (known === undefined || known.email !== about['email']) throw linkInvalid();
    const requestHash = sha256(token);
    const commandId = uuidV5(VERIFICATIONS, requestHash);
    const context: CommandContext = {
      actor: { kind: 'person', id: userId, role: known.role },
      commandId,
      requestHash,
      correlationId: commandId,
      causationId: commandId,
    };
    const command = { type: 'VerifyEmail' } as const;
    const { position } = await aggregates.accounts.execute(accountStream(userId), command, context);
    return { userId, position };
  }
}
