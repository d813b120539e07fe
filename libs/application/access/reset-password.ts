import {
  createBuckets,
  foldEmail,
  linkInvalid,
  networkOf,
  unchangedPassword,
  type BucketsOf,
} from '#identity';
import { LodeError, sha256, type Actor, type Clock } from '#kernel';
import { sentBy } from '../command.js';
import type { Mailing } from '../mail/mailing.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { Changed } from './change-once.js';
import type { AccessContext, VisitorContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { LINKS_PER_NETWORK, LINKS_PER_PERSON, NETWORKS_MAX } from './link-limits.js';
import { delayMoneyOut, type MoneyOutDependencies } from './money-out.js';
import { namesOf } from './names.js';

/** Dependencies of what is sent to somebody who has lost the password. */
export type ResetDependencies = AccessDependencies &
  MoneyOutDependencies & {
    readonly identity: { readonly bucketsOf: BucketsOf };
    readonly mailing: Pick<Mailing, 'sendLink' | 'pretendLink' | 'sendNotice'>;
    readonly clock: Clock;
  };

/**
 * Sends whoever has an e-mail a link to set a new password by. It comes to the same, by its answer and by what it takes,
 * for an e-mail that nobody has, and for one that was sent enough links. Refuses a network that asks too often with
 * `rate_limited`.
 */
export class RequestPasswordReset extends sentBy('visitor')<void> {
  constructor(
    override readonly context: VisitorContext,
    readonly email: string,
  ) {
    super();
  }
}

export class RequestPasswordResetHandler {
  private readonly emails;
  private readonly networks;

  constructor(private readonly dependencies: ResetDependencies) {
    const { clock, identity } = dependencies;
    this.emails = identity.bucketsOf('links to reset the password', LINKS_PER_PERSON);
    this.networks = createBuckets(clock, LINKS_PER_NETWORK, NETWORKS_MAX);
  }

  async execute({ context: { client }, email }: RequestPasswordReset): Promise<void> {
    const { identity, mailing, hold } = this.dependencies;
    refuseWhileHeld(hold);
    const network = networkOf(client.address);
    const waitMs = this.networks.waitMs(network);
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
    this.networks.add(network, -1);
    const known = await identity.credentials.resettable(email);
    const isEnough = (await this.emails.take(foldEmail(email))) > 0;
    if (known === undefined || isEnough) await mailing.pretendLink('reset-password');
    else await mailing.sendLink('reset-password', known);
  }
}

/**
 * Sets a new password by a link that was sent for it, which is then used up: all sessions end, and nobody is signed in.
 * Refuses with `link_invalid`, `password_policy` (the link stays good), `overloaded`.
 */
export class ResetPassword extends sentBy('visitor')<Changed> {
  constructor(
    override readonly context: VisitorContext,
    readonly reset: { readonly token: string; readonly password: string },
    /** The key that a repeat of the request has, too. */
    readonly key?: string,
  ) {
    super();
  }
}

export class ResetPasswordHandler {
  constructor(private readonly dependencies: ResetDependencies) {}

  async execute({ context, reset, key }: ResetPassword): Promise<Changed> {
    const { identity, hold } = this.dependencies;
    refuseWhileHeld(hold);
    const { token, password } = reset;
    if (key === undefined) {
      await this.check(reset);
      await this.change(context, reset, false);
      await identity.links.spend(token);
      return { replayed: false };
    }
    const { replayed } = await identity.requests.once(
      {
        name: ['reset password', sha256(token), key],
        content: {},
        secret: { text: password, share: 'signIn' },
        refuse: () => this.check(reset),
      },
      async ({ isAgain }) => ({ answer: {}, about: await this.change(context, reset, isAgain) }),
    );
    // Once the answer is kept: a repeat of what was cut off before reads the link again, which is void by its epoch.
    await identity.links.spend(token);
    return { replayed };
  }

  /** Refuses what would be refused anyway before anything is hashed. */
  private async check({ token, password }: ResetPassword['reset']): Promise<void> {
    const { identity } = this.dependencies;
    const { userId } = await identity.links.read('reset-password', token);
    const known = await identity.credentials.known(userId);
    if (known === undefined) throw linkInvalid();
    const names = await namesOf(this.dependencies, userId);
    identity.credentials.checkPolicy(password, { email: known.email, names });
  }

  /** Gives whose the password was. */
  private async change(
    { client }: VisitorContext,
    { token, password }: ResetPassword['reset'],
    isAgain: boolean,
  ): Promise<string> {
    const { identity, accessAudit } = this.dependencies;
    const { credentials, links } = identity;
    const { userId, epoch } = await links.read('reset-password', token);
    const before = await credentials.known(userId);
    const isGood = before?.epoch === epoch;
    const isSame = (isGood || isAgain) && (await credentials.hasPassword(userId, password));
    // Where nothing has made the link void, it is the one of before. What is refused makes no money wait.
    if (isGood && isSame) throw unchangedPassword();
    // Of a request that was cut off, the password may be the new one by now, and the sessions have ended with the old.
    if (!isGood && !isSame) throw linkInvalid();
    if (isGood) {
      await delayMoneyOut(this.dependencies, userId, 'password_reset', `${epoch}/${sha256(token)}`);
      await credentials.resetPassword(userId, epoch, password);
    }
    const known = await credentials.known(userId);
    const actor: Actor = { kind: 'person', id: userId, role: known?.role ?? 'user' };
    const context: AccessContext = { actor, client };
    await accessAudit.note(userId, { type: 'RecordPasswordReset' }, context);
    await accessAudit.note(userId, { type: 'RecordSessionsEnd', why: 'password' }, context);
    return userId;
  }
}

function tooMany(retryAfterSeconds: number): LodeError {
  return new LodeError('rate_limited', 'Too many requests for a new password. Wait a little and try again.', {
    retryAfterSeconds,
  });
}
