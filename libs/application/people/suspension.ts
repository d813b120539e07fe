import type { CommandContext } from '#commands';
import { LodeError } from '#kernel';
import { accountStream } from '#ledger';
import { reconcileAccess, type ReconciliationDependencies } from '../access/reconcile.js';
import { isOpenAdmin } from '../admins/rights.js';
import { sentBy, type Receipt } from '../command.js';

/**
 * Keeps a person out. Refuses with `not_permitted` whoever would keep themselves out and what would leave no admin, and as
 * the account does.
 */
export class SuspendPerson extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly userId: string,
  ) {
    super();
  }
}

export class SuspendPersonHandler {
  constructor(private readonly dependencies: ReconciliationDependencies) {}

  async execute({ context, userId }: SuspendPerson): Promise<Receipt> {
    if (userId === context.actor.id)
      throw new LodeError('not_permitted', "You can't block yourself. Please ask another admin.");
    const { aggregates, admins } = this.dependencies;
    if (await isAdmin(this.dependencies, userId)) {
      const decided = await admins.suspend(userId, context);
      if (decided.replayed && (await admins.standingOf(userId)) !== 'suspended') return decided;
    }
    const receipt = await aggregates.accounts.execute(accountStream(userId), { type: 'Suspend' }, context);
    await reconcileAccess(this.dependencies, userId);
    return receipt;
  }
}

/** Lets a person in again. Refuses as the account does. */
export class ActivatePerson extends sentBy('admin')<Receipt> {
  constructor(
    override readonly context: CommandContext,
    readonly userId: string,
  ) {
    super();
  }
}

export class ActivatePersonHandler {
  constructor(private readonly dependencies: ReconciliationDependencies) {}

  async execute({ context, userId }: ActivatePerson): Promise<Receipt> {
    const { aggregates, admins } = this.dependencies;
    if (await isAdmin(this.dependencies, userId)) {
      const decided = await admins.activate(userId, context);
      if (decided.replayed && (await admins.standingOf(userId)) !== 'active') return decided;
    }
    const receipt = await aggregates.accounts.execute(accountStream(userId), { type: 'Activate' }, context);
    await reconcileAccess(this.dependencies, userId);
    return receipt;
  }
}

/** An admin is kept out or let in by the list of admins first: what became so there, and was undone since, stays undone. */
async function isAdmin({ aggregates }: ReconciliationDependencies, userId: string): Promise<boolean> {
  return isOpenAdmin((await aggregates.accounts.load(accountStream(userId))).state);
}
