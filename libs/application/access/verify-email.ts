import type { CommandContext } from '#commands';
import type { GatedAct } from '#contracts';
import { createBuckets, linkInvalid, networkOf, type BucketsOf, type Identity } from '#identity';
import { accountNotFound, sha256, uuidV5, type Clock } from '#kernel';
import { accountStream } from '#ledger';
import { sentBy, type Receipt } from '../command.js';
import type { LinkOptions, LinkQueued, Mailing } from '../mail/mailing.js';
import { refuseWhileHeld } from '../platform/held.js';
import { accountOf } from './admission.js';
import { onceByLink, type DoneByLink } from './by-link.js';
import type { CallerContext, VisitorContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { LINKS_PER_NETWORK, LINKS_PER_PERSON, NETWORKS_MAX, tooManyLinks } from './link-limits.js';

/** What whoever has not verified the e-mail address may not ask for. With nothing in it nobody is asked to verify it. */
export type Verification = { readonly mayNot: readonly GatedAct[] };

/** The namespace of the ids of commands that are derived from a link. */
const VERIFICATIONS = 'f0d1a4de-6f6c-5f55-9a3b-1b0c5a7d9e21';

/** Dependencies of what shows that an e-mail address is somebody's. */
export type VerificationDependencies = AccessDependencies & {
  readonly identity: { readonly bucketsOf: BucketsOf };
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
  options: Pick<LinkOptions, 'askedBy'> = {},
): Promise<LinkQueued> {
  const known = await identity.credentials.known(userId);
  if (known === undefined) throw accountNotFound();
  const { email, epoch } = known;
  return mailing.sendLink('verify-email', { userId, email, epoch }, { ...options, about: { email } });
}

/**
 * Sends the caller the link again. Does nothing for whoever needs none; refuses with `rate_limited` when none is sent, because
 * the caller, their network or all people together ask too often.
 */
export class RequestEmailVerification extends sentBy('user')<void> {
  constructor(override readonly context: CallerContext) {
    super();
  }
}

export class RequestEmailVerificationHandler {
  private readonly people;
  private readonly networks;

  constructor(private readonly dependencies: VerificationDependencies) {
    const { clock, identity } = dependencies;
    this.people = identity.bucketsOf('links to verify the e-mail', LINKS_PER_PERSON);
    this.networks = createBuckets(clock, LINKS_PER_NETWORK, NETWORKS_MAX);
  }

  async execute({ context: { actor, client } }: RequestEmailVerification): Promise<void> {
    const userId = actor.id;
    refuseWhileHeld(this.dependencies.hold);
    if ((await accountOf(this.dependencies, userId)).isEmailVerified) return;
    const network = networkOf(client.address);
    const networkWaitMs = this.networks.waitMs(network);
    if (networkWaitMs > 0) throw tooManyLinks(networkWaitMs);
    this.networks.add(network, -1);
    const waitMs = await this.people.take(userId);
    if (waitMs > 0) {
      this.networks.add(network, 1);
      throw tooManyLinks(waitMs);
    }
    const sent = await sendVerification(this.dependencies, userId);
    if (sent.kind === 'queued') return;
    await this.people.giveBack(userId);
    throw tooManyLinks(sent.waitMs);
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

export class VerifyEmailHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ token, key }: VerifyEmail): Promise<Receipt> {
    const { identity, hold } = this.dependencies;
    refuseWhileHeld(hold);
    return onceByLink(identity, 'verify email', { token, key }, () => this.verify(token));
  }

  /** Gives whose the e-mail address is. The link of one that they have no more is good for nothing. */
  private async verify(token: string): Promise<DoneByLink> {
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
