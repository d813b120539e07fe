import { CommandHandler, Query, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Identity, SecondFactorState } from '#identity';
import { accountNotFound, LodeError, type Clock } from '#kernel';
import { sentBy } from '../command.js';
import { refuseWhileHeld } from '../platform/held.js';
import type { AccessContext, CallerContext } from './context.js';
import type { AccessDependencies } from './dependencies.js';
import { confirmPassword, withinCodeLimits } from './guessing.js';
import { delayMoneyOut, type MoneyOutDependencies } from './money-out.js';
import { requireProof } from './step-up.js';

/** Whether a person has a second factor, and how many recovery codes are left. */
export class GetSecondFactor extends Query<SecondFactorState> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(GetSecondFactor)
export class GetSecondFactorHandler implements IQueryHandler<GetSecondFactor> {
  constructor(private readonly identity: Pick<Identity, 'secondFactors'>) {}

  execute({ userId }: GetSecondFactor): Promise<SecondFactorState> {
    return this.identity.secondFactors.stateOf(userId);
  }
}

/** What an authenticator app is told: a secret, and whose it is. */
export type NewSecondFactor = { readonly secret: string; readonly email: string };

/**
 * Draws a secret for the caller's authenticator app, which is not asked for before a first code confirms it. The password is
 * asked for. Refuses with `invalid_credentials`, `too_many_attempts`, `second_factor_on`, `account_not_found`.
 */
export class BeginSecondFactor extends sentBy('user', 'admin')<NewSecondFactor> {
  constructor(
    override readonly context: CallerContext,
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(BeginSecondFactor)
export class BeginSecondFactorHandler implements ICommandHandler<BeginSecondFactor> {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, password }: BeginSecondFactor): Promise<NewSecondFactor> {
    const { identity, hold } = this.dependencies;
    refuseWhileHeld(hold);
    const userId = context.actor.id;
    await confirmPassword(this.dependencies, context, password);
    const known = await identity.credentials.known(userId);
    if (known === undefined) throw accountNotFound();
    return { secret: await identity.secondFactors.begin(userId), email: known.email };
  }
}

/**
 * Switches the caller's second factor on by a first code, ends all other sessions, which began without one, and gives the
 * recovery codes. Refuses with `second_factor_wrong`, `second_factor_missing`, `second_factor_on`, `too_many_attempts`.
 */
export class ConfirmSecondFactor extends sentBy('user', 'admin')<readonly string[]> {
  constructor(
    override readonly context: CallerContext,
    readonly code: string,
  ) {
    super();
  }
}

@CommandHandler(ConfirmSecondFactor)
export class ConfirmSecondFactorHandler implements ICommandHandler<ConfirmSecondFactor> {
  constructor(private readonly dependencies: AccessDependencies) {}

  async execute({ context, code }: ConfirmSecondFactor): Promise<readonly string[]> {
    const { identity, accessAudit, hold } = this.dependencies;
    refuseWhileHeld(hold);
    const { actor, session, client } = context;
    const codes = await withinCodeLimits(this.dependencies, actor.id, client, () =>
      identity.secondFactors.confirm(actor.id, code),
    );
    await accessAudit.note(actor.id, { type: 'RecordSecondFactorChange', change: 'set up' }, context);
    await identity.sessions.endAllSessions(actor.id, session);
    const othersEnd = { type: 'RecordSessionsEnd', why: 'ended', except: session } as const;
    await accessAudit.note(actor.id, othersEnd, context);
    return codes;
  }
}

/** What a second factor is removed with. */
export type RemovalDependencies = Pick<AccessDependencies, 'identity' | 'accessAudit'> &
  MoneyOutDependencies & { readonly clock: Clock };

/** What proves that the caller may change their second factor. */
type Proof = { readonly password: string; readonly code: string };

/**
 * Takes the caller's second factor away. Refuses with `invalid_credentials`, `too_many_attempts`, `second_factor_wrong`,
 * `second_factor_missing`, `account_not_found`.
 */
export class RemoveSecondFactor extends sentBy('user', 'admin')<void> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof,
  ) {
    super();
  }
}

@CommandHandler(RemoveSecondFactor)
export class RemoveSecondFactorHandler implements ICommandHandler<RemoveSecondFactor> {
  constructor(private readonly dependencies: AccessDependencies & RemovalDependencies) {}

  async execute({ context, proof }: RemoveSecondFactor): Promise<void> {
    refuseWhileHeld(this.dependencies.hold);
    await requireProof(this.dependencies, context, 'second factor', proof);
    await removeSecondFactor(this.dependencies, context.actor.id, context);
  }
}

/** Gives the caller new recovery codes in the place of those of before. Refuses as `RemoveSecondFactor`. */
export class RenewRecoveryCodes extends sentBy('user', 'admin')<readonly string[]> {
  constructor(
    override readonly context: CallerContext,
    readonly proof: Proof,
  ) {
    super();
  }
}

@CommandHandler(RenewRecoveryCodes)
export class RenewRecoveryCodesHandler implements ICommandHandler<RenewRecoveryCodes> {
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

@CommandHandler(RemoveLostSecondFactor)
export class RemoveLostSecondFactorHandler implements ICommandHandler<RemoveLostSecondFactor> {
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
 * Takes a person's second factor away, for whoever has made sure that it may be; money then waits. False when there was none.
 */
export async function removeSecondFactor(
  { identity, accessAudit, clock, ...moneyOut }: RemovalDependencies,
  userId: string,
  context: AccessContext,
): Promise<boolean> {
  const stamp = await identity.secondFactors.stampOf(userId);
  // One that could not be taken off is still the same when it is asked again, later.
  if (stamp !== undefined)
    await delayMoneyOut(moneyOut, userId, 'second_factor_removed', `${stamp}/${clock()}`);
  const wasOn = await identity.secondFactors.remove(userId);
  if (wasOn) await accessAudit.note(userId, { type: 'RecordSecondFactorChange', change: 'removed' }, context);
  return wasOn;
}
