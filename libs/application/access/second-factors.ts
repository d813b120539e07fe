import type { Identity, PasskeysRefusal, PasskeyView, SecondFactorState } from '#identity';
import { accountNotFound, LodeError, type Clock } from '#kernel';
import { sentBy } from '../command.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { AccessContext, CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { withinCodeLimits } from './guessing.js';
import { delayMoneyOut, type MoneyOutDependencies } from './money-out.js';
import { requireProof, type Proof } from './step-up.js';
import { Query } from '../message.js';

/** What a person has as a second factor. */
export type OwnSecondFactor = SecondFactorState & {
  readonly passkeys: readonly PasskeyView[];
  /** Why there can be no passkeys. */
  readonly passkeysRefused: PasskeysRefusal | null;
  /** The host that passkeys belong to; null where there can be none. */
  readonly rpId: string | null;
};

/** Whether a person has a second factor: the app, the passkeys, and how many recovery codes are left. */
export class GetSecondFactor extends Query<OwnSecondFactor> {
  constructor(readonly userId: string) {
    super();
  }
}

export class GetSecondFactorHandler {
  constructor(private readonly identity: Pick<Identity, 'secondFactors' | 'passkeys'>) {}

  async execute({ userId }: GetSecondFactor): Promise<OwnSecondFactor> {
    const { secondFactors, passkeys } = this.identity;
    const state = await secondFactors.stateOf(userId);
    return {
      ...state,
      passkeys: await passkeys.listOf(userId),
      passkeysRefused: passkeys.refusal ?? null,
      rpId: passkeys.rpId ?? null,
    };
  }
}

/** What an authenticator app is told: a secret, and whose it is. */
export type NewSecondFactor = { readonly secret: string; readonly email: string };

/**
 * Draws a secret for the caller's authenticator app, which is not asked for before a first code confirms it. Refuses as
 * `requireProof` does, and with `second_factor_on`, `account_not_found`.
 */
export class BeginSecondFactor extends sentBy('user', 'admin')<NewSecondFactor> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof,
  ) {
    super();
  }
}

export class BeginSecondFactorHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, proof }: BeginSecondFactor): Promise<NewSecondFactor> {
    const { identity, hold } = this.dependencies;
    refuseWhileHeld(hold);
    const userId = context.actor.id;
    await requireProof(this.dependencies, context, 'security', proof);
    const known = await identity.credentials.known(userId);
    if (known === undefined) throw accountNotFound();
    return { secret: await identity.secondFactors.begin(userId), email: known.email };
  }
}

/**
 * Puts the caller's app in use by a first code, ends all other sessions, and gives the recovery codes, unless there are some
 * already. Refuses with `second_factor_wrong`, `second_factor_missing`, `second_factor_on`, `too_many_attempts`.
 */
export class ConfirmSecondFactor extends sentBy('user', 'admin')<readonly string[]> {
  constructor(
    override readonly context: CallerContext,
    readonly code: string,
  ) {
    super();
  }
}

export class ConfirmSecondFactorHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, code }: ConfirmSecondFactor): Promise<readonly string[]> {
    const { identity, accessAudit, hold } = this.dependencies;
    refuseWhileHeld(hold);
    const { actor, session, client } = context;
    const codes = await withinCodeLimits(this.dependencies, actor.id, client, () =>
      identity.secondFactors.confirm(actor.id, code, session),
    );
    await accessAudit.note(actor.id, { type: 'RecordSecondFactorChange', change: 'set up' }, context);
    const othersEnd = { type: 'RecordSessionsEnd', why: 'ended', except: session } as const;
    await accessAudit.note(actor.id, othersEnd, context);
    return codes;
  }
}

/** What a second factor is removed with. */
export type RemovalDependencies = Pick<AccessDependencies, 'identity' | 'accessAudit'> &
  MoneyOutDependencies & { readonly clock: Clock };

/**
 * Takes the caller's app away; passkeys stay, and it says whether there are any. Money then waits. Refuses as `requireProof`
 * does, and with `second_factor_missing`, `account_not_found`.
 */
export class RemoveSecondFactor extends sentBy('user', 'admin')<{ readonly isStillOn: boolean }> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof,
  ) {
    super();
  }
}

export class RemoveSecondFactorHandler {
  constructor(private readonly dependencies: AccessDependencies & RemovalDependencies) {}

  async execute({ context, proof }: RemoveSecondFactor): Promise<{ readonly isStillOn: boolean }> {
    const { identity, hold } = this.dependencies;
    const { secondFactors } = identity;
    const userId = context.actor.id;
    refuseWhileHeld(hold);
    await requireProof(this.dependencies, context, 'second factor', proof);
    if (!(await secondFactors.stateOf(userId)).hasApp)
      throw new LodeError('second_factor_missing', 'No authenticator app is in use.');
    await takeOff(this.dependencies, userId, context, 'removed', () => secondFactors.removeApp(userId));
    return { isStillOn: await secondFactors.isOn(userId) };
  }
}

/** Gives the caller new recovery codes in the place of those of before. Refuses as `requireProof` does, and with `second_factor_missing`. */
export class RenewRecoveryCodes extends sentBy('user', 'admin')<readonly string[]> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof,
  ) {
    super();
  }
}

export class RenewRecoveryCodesHandler {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, proof }: RenewRecoveryCodes): Promise<readonly string[]> {
    const { identity, accessAudit, hold } = this.dependencies;
    refuseWhileHeld(hold);
    const userId = context.actor.id;
    await requireProof(this.dependencies, context, 'second factor', proof);
    const codes = await identity.secondFactors.renewCodes(userId);
    await accessAudit.note(
      userId,
      { type: 'RecordSecondFactorChange', change: 'new recovery codes' },
      context,
    );
    return codes;
  }
}

/**
 * Takes a customer's second factor away who has lost it, for an admin who says why. Asked again, nothing changes. Refuses with
 * `not_a_customer`, `account_not_found`.
 */
export class RemoveLostSecondFactor extends sentBy('admin')<void> {
  constructor(
    override readonly context: Omit<CallerContext, 'client'>,
    readonly userId: string,
    readonly reason: string,
  ) {
    super();
  }
}

export class RemoveLostSecondFactorHandler {
  constructor(private readonly dependencies: AccessDependencies & RemovalDependencies) {}

  async execute({ context, userId, reason }: RemoveLostSecondFactor): Promise<void> {
    refuseWhileHeld(this.dependencies.hold);
    const known = await this.dependencies.identity.credentials.known(userId);
    if (known === undefined) throw accountNotFound();
    if (known.role !== 'user')
      throw new LodeError('not_a_customer', 'An admin’s second factor is not another admin’s to remove.');
    await removeSecondFactor(this.dependencies, userId, { ...context, reason });
  }
}

/**
 * Takes all of a person's second factors away, for whoever has made sure that it may be; money then waits. False when there
 * was none.
 */
export async function removeSecondFactor(
  dependencies: RemovalDependencies,
  userId: string,
  context: AccessContext,
): Promise<boolean> {
  const { secondFactors } = dependencies.identity;
  return takeOff(dependencies, userId, context, 'removed', () => secondFactors.remove(userId));
}

/** Takes something of a second factor away that is on; money then waits. False when there was nothing to take. */
export async function takeOff(
  { identity, accessAudit, clock, ...moneyOut }: RemovalDependencies,
  userId: string,
  context: AccessContext,
  change: 'removed' | 'passkey removed',
  take: () => Promise<boolean>,
): Promise<boolean> {
  const stamp = await identity.secondFactors.stampOf(userId);
  // One that could not be taken off is still the same when it is asked again, later.
  if (stamp !== undefined)
    await delayMoneyOut(moneyOut, userId, 'second_factor_removed', `${stamp}/${clock()}`);
  const wasThere = await take();
  if (wasThere) await accessAudit.note(userId, { type: 'RecordSecondFactorChange', change }, context);
  return wasThere;
}
