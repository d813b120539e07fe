import type { NewPasskey, PasskeyCreation, PasskeyPurpose, PasskeyRequest } from '#identity';
import { accountNotFound, LodeError } from '#kernel';
import { sentBy } from '../command.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { takeOff, type RemovalDependencies } from './second-factors.js';
import { requireProof, type Proof } from './step-up.js';

/**
 * Gives what a browser makes the caller a passkey with. Refuses as `requireProof` does, and with `passkeys_full`,
 * `passkeys_unavailable`, `account_not_found`.
 */
export class BeginPasskey extends sentBy('user', 'admin')<PasskeyCreation> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof,
  ) {
    super();
  }
}

export class BeginPasskeyHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, proof }: BeginPasskey): Promise<PasskeyCreation> {
    const { identity, hold } = this.dependencies;
    const userId = context.actor.id;
    refuseWhileHeld(hold);
    await requireProof(this.dependencies, context, 'security', proof);
    const known = await identity.credentials.known(userId);
    if (known === undefined) throw accountNotFound();
    return identity.passkeys.begin(userId, known.email);
  }
}

/**
 * Takes a passkey into use that the caller's browser made. The first second factor ends all other sessions, which began without one,
 * and comes with recovery codes. Refuses with `passkey_refused`, `challenge_invalid`, `passkeys_full`, `passkeys_unavailable`,
 * `account_not_found`.
 */
export class AddPasskey extends sentBy('user', 'admin')<readonly string[]> {
  constructor(
    override readonly context: CallerContext,
    readonly name: string,
    readonly made: NewPasskey,
  ) {
    super();
  }
}

export class AddPasskeyHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, name, made }: AddPasskey): Promise<readonly string[]> {
    const { identity, accessAudit, hold } = this.dependencies;
    const { actor, session } = context;
    refuseWhileHeld(hold);
    const { recoveryCodes, isFirst } = await identity.passkeys.add(actor.id, name, made, session);
    await accessAudit.note(actor.id, { type: 'RecordSecondFactorChange', change: 'passkey added' }, context);
    if (!isFirst) return recoveryCodes;
    const othersEnd = { type: 'RecordSessionsEnd', why: 'ended', except: session } as const;
    await accessAudit.note(actor.id, othersEnd, context);
    return recoveryCodes;
  }
}

/**
 * Gives what a passkey of the caller is to sign, for `requireProof` to take. Refuses with `passkey_missing`,
 * `passkeys_unavailable`, `account_not_found`.
 */
export class AskPasskey extends sentBy('user', 'admin')<PasskeyRequest> {
  constructor(
    override readonly context: CallerContext,
    readonly purpose: PasskeyPurpose,
  ) {
    super();
  }
}

export class AskPasskeyHandler {
  constructor(private readonly dependencies: Pick<AccessDependencies, 'identity' | 'hold'>) {}

  async execute({ context, purpose }: AskPasskey): Promise<PasskeyRequest> {
    const { identity, hold } = this.dependencies;
    refuseWhileHeld(hold);
    return identity.passkeys.ask(context.actor.id, purpose);
  }
}

/** Removes a passkey of the caller; money then waits. Refuses with `passkey_missing`, and as `requireProof` does. */
export class RemovePasskey extends sentBy('user', 'admin')<void> {
  constructor(
    override readonly context: CallerContext,
    readonly passkeyId: string,
    readonly proof: Proof,
  ) {
    super();
  }
}

export class RemovePasskeyHandler {
  constructor(private readonly dependencies: AccessDependencies & RemovalDependencies) {}

  async execute({ context, passkeyId, proof }: RemovePasskey): Promise<void> {
    const { identity, hold } = this.dependencies;
    const { passkeys } = identity;
    const userId = context.actor.id;
    refuseWhileHeld(hold);
    const own = await passkeys.listOf(userId);
    if (!own.some((one) => one.passkeyId === passkeyId)) throw passkeyMissing();
    await requireProof(this.dependencies, context, 'second factor', proof);
    const take = () => passkeys.remove(userId, passkeyId);
    if (!(await takeOff(this.dependencies, userId, context, 'passkey removed', take))) throw passkeyMissing();
  }
}

function passkeyMissing(): LodeError {
  return new LodeError('passkey_missing', 'You have no such passkey.');
}
