import { unchangedPassword, type Tokens } from '#identity';
import { accountNotFound } from '#kernel';
import { sentBy } from '../command.js';
import { changeOnce, type Changed } from './change-once.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { withinLimits } from './guessing.js';
import { delayMoneyOut, type MoneyOutDependencies } from './money-out.js';
import { namesOf } from './names.js';
import { requireProof, type Proof } from './step-up.js';
import { startSession } from './sign-in.js';

/**
 * Changes the caller's password, by the old one, and the second factor where there is one. The caller's session
 * goes on; all others end. Refuses with `password_policy`, `account_not_found`, and as `requireProof` does.
 */
export class ChangePassword extends sentBy('user', 'admin')<Changed> {
  constructor(
    override readonly context: CallerContext,
    readonly passwords: { readonly old: string; readonly new: string } & Pick<Proof, 'code' | 'passkey'>,
    /** The key that a repeat of the request has, too. */
    readonly key?: string,
  ) {
    super();
  }
}

export class ChangePasswordHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, passwords, key }: ChangePassword): Promise<Changed> {
    const { identity, hold } = this.dependencies;
    refuseWhileHeld(hold);
    identity.credentials.checkPolicy(passwords.new, {
      names: await namesOf(this.dependencies, context.actor.id),
    });
    const change = (isAgain: boolean) => this.change(context, passwords, isAgain);
    const request = {
      name: 'password',
      content: {},
      secret: { text: JSON.stringify([passwords.old, passwords.new]), share: 'signIn' },
    } as const;
    return changeOnce(identity, context, key, request, change);
  }

  private async change(
    context: CallerContext,
    passwords: ChangePassword['passwords'],
    isAgain: boolean,
  ): Promise<void> {
    const { identity, accessAudit } = this.dependencies;
    const { credentials, secondFactors } = identity;
    const { actor, session } = context;
    // Of a request that was cut off, the password may be the new one by now.
    if (!isAgain || !(await credentials.hasPassword(actor.id, passwords.new))) {
      // Otherwise the change itself looks at the old one: it is hashed once.
      const { old: password, code, passkey } = passwords;
      if (code !== undefined || passkey !== undefined || (await secondFactors.isOn(actor.id)))
        await requireProof(this.dependencies, context, 'security', { password, code, passkey });
      await withinLimits(this.dependencies, context, () =>
        credentials.changePassword(actor.id, passwords, session),
      );
    }
    await accessAudit.note(actor.id, { type: 'RecordPasswordChange' }, context);
    const othersEnd = { type: 'RecordSessionsEnd', why: 'password', except: session } as const;
    await accessAudit.note(actor.id, othersEnd, context);
  }
}

/**
 * Gives a new password to a customer who has signed in at the identity door just now, without the old one: all sessions
 * end, the person goes on with a new one, which is as old as that sign-in, and money out waits. Refuses with `password_policy`,
 * `account_not_found`.
 */
export class ReplacePassword extends sentBy('user')<Tokens> {
  constructor(
    override readonly context: CallerContext,
    readonly password: string,
    /** Milliseconds since the epoch. */
    readonly doorSignInAt: number,
  ) {
    super();
  }
}

export class ReplacePasswordHandler {
  constructor(private readonly dependencies: AccessDependencies & MoneyOutDependencies) {}

  async execute({ context, password, doorSignInAt }: ReplacePassword): Promise<Tokens> {
    const { identity, accessAudit, hold } = this.dependencies;
    const { actor, client } = context;
    refuseWhileHeld(hold);
    identity.credentials.checkPolicy(password, { names: await namesOf(this.dependencies, context.actor.id) });
    const before = await identity.credentials.known(actor.id);
    if (before === undefined) throw accountNotFound();
    // What is refused makes no money wait.
    if (await identity.credentials.hasPassword(actor.id, password)) throw unchangedPassword();
    // Nobody was asked for the old one: money waits as after a reset.
    await delayMoneyOut(this.dependencies, actor.id, 'password_reset', `${before.epoch}/${doorSignInAt}`);
    await identity.credentials.replacePassword(actor.id, password);
    await accessAudit.note(actor.id, { type: 'RecordPasswordChange' }, context);
    await accessAudit.note(actor.id, { type: 'RecordSessionsEnd', why: 'password' }, context);
    const known = await identity.credentials.known(actor.id);
    if (known === undefined) throw accountNotFound();
    return startSession(this.dependencies, known, client, { at: doorSignInAt });
  }
}
